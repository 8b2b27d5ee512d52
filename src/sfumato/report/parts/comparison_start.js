// Everything is drawn once, and again where something changes.
function drawCharts() {
  drawSorted();
  drawSame();
  drawGains();
}

function choose(place) {
  shown.property = place;
  const one = property();
  for (const button of document.querySelectorAll('[data-property]')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.property) === place));
  }
  byId('property-title').textContent = one.name;
  byId('property-meaning').textContent = one.meaning;
  byId('summary').textContent = one.summary;
  drawCharts();
  drawSpread();
  drawGroups();
  drawVerdicts();
  byId('live').textContent = one.summary;
}

function startChoice(id, names, at, change) {
  const choice = byId(id);
  names.forEach((name, place) => choice.append(element('option', { value: place }, name)));
  choice.value = String(at);
  choice.addEventListener('change', () => change(Number(choice.value)));
}

drawSides();
drawProperties();
startChoice('order', data.names, shown.order, (place) => { shown.order = place; drawSame(); });
startChoice('by', data.columns, shown.by, (place) => { shown.by = place; drawGroups(); });
if (data.together.length) verdictTable('together-table', data.together);
choose(shown.property);
watchScrolling();
let width = byId('sorted').clientWidth;
new ResizeObserver(() => {
  if (byId('sorted').clientWidth === width) return;
  width = byId('sorted').clientWidth;
  drawCharts();
}).observe(byId('sorted'));
