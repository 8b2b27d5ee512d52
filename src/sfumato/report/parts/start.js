// Everything is drawn once, and again where something changes.
function select(id) {
  chart.selected = id;
  const solution = data.solutions[id];
  drawChart();
  showSolution(solution);
  showRisk(solution);
  markRow();
  for (const button of document.querySelectorAll('[data-solution]')) {
    button.classList.toggle('here', Number(button.dataset.solution) === id);
  }
  byId('live').textContent = `Solution ${id}: ${summary(solution)}`
    + `${data.freedoms ? `, ${solution.freedom} recoding` : ''}`;
  // A page around the report may follow what is selected, and select what it asks for.
  byId('chart').dispatchEvent(new CustomEvent('sfumato-select', { bubbles: true, detail: id }));
}

function startAxes() {
  for (const axis of ['x', 'y']) {
    const choice = byId(`${axis}-axis`);
    data.metrics.forEach((metric, place) => choice.append(
      element('option', { value: place, title: metric.meaning || null }, metric.name)));
    choice.value = String(chart[axis]);
    const explain = () => { choice.title = data.metrics[chart[axis]].meaning; };
    explain();
    choice.addEventListener('change', () => {
      chart[axis] = Number(choice.value);
      explain();
      resetView();
      drawChart();
    });
  }
}

chart.onSelect = select;
startWords();
explainTerms();
resetView();
startAxes();
startZoom();
startTable();
for (const button of document.querySelectorAll('[data-solution]')) {
  button.addEventListener('click', () => select(Number(button.dataset.solution)));
}
showUtility();
byId('chart').addEventListener('sfumato-show', (event) => select(event.detail));
select(data.chosen);
watchScrolling();
let width = 0;
new ResizeObserver(() => {
  if (byId('chart').clientWidth === width) return;
  width = byId('chart').clientWidth;
  drawChart();
  drawCurve(data.solutions[chart.selected]);
  drawLearning();
}).observe(byId('chart'));
