// Puts a part of the report into a page, with the report's own scripts: one drawing for both.
export default {
  template: '<div class="report-part"></div>',
  props: { body: String, styles: String, script: String, data: String, solution: Number },
  mounted() {
    this.$el.innerHTML = this.body; // made by the report, which escapes all texts
    const style = document.createElement('style');
    style.textContent = this.styles;
    const data = document.createElement('script');
    data.type = 'application/json';
    data.id = 'data';
    data.textContent = this.data;
    const script = document.createElement('script');
    script.textContent = this.script;
    this.$el.addEventListener('sfumato-select', (event) => this.$emit('select', event.detail));
    this.$el.prepend(style);
    this.$el.append(data, script);
    if (this.solution !== null && this.solution !== undefined) {
      const chart = this.$el.querySelector('#chart');
      chart.dispatchEvent(new CustomEvent('sfumato-show', { detail: this.solution }));
    }
  },
};
