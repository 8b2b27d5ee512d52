// All solutions as a table: sorted by a click on a name, a part at a time if there are many.
const PART = 200;
const table = { by: null, down: false, shown: PART };

const tableColumns = (() => {
  const found = [{ name: 'id', get: (s) => s.id, text: (s) => String(s.id) }];
  const loss = data.metrics.findIndex((f) => f.name === 'normalized-loss');
  const places = [...objectives];
  if (loss >= 0 && !places.includes(loss)) places.push(loss);
  for (const place of places) {
    const metric = data.metrics[place];
    found.push({
      name: metric.name, meaning: metric.meaning, get: (s) => valueOf(s, place),
      text: (s) => written(metric, s.metrics[place]),
    });
  }
  found.push({ name: 'suppressed', get: (s) => s.suppressed, text: (s) => grouped(s.suppressed) });
  found.push({ name: 'classes', get: (s) => s.classes, text: (s) => grouped(s.classes) });
  if (data.freedoms) {
    const order = data.freedoms.freedoms.map((each) => each.freedom);
    found.push({ name: 'freedom', get: (s) => order.indexOf(s.freedom), text: (s) => s.freedom });
  }
  const labelled = (s) => s.labels.length > 0;
  data.columns.forEach((column, place) => found.push({
    name: column.name, level: true,
    get: (s) => (labelled(s) ? s.labels[place].count : s.levels[place]),
    text: (s) => {
      if (labelled(s)) return `${grouped(s.labels[place].count)} labels`;
      const here = column.levels[s.levels[place]];
      return here.on_level ? String(s.levels[place]) : `${grouped(here.blocks)} groups`;
    },
  }));
  return found;
})();

function drawTable() {
  const by = tableColumns[table.by ?? 0];
  const sign = table.down ? -1 : 1;
  const order = [...listed].sort((a, b) => sign * (by.get(a) - by.get(b)) || a.id - b.id);
  const head = tableColumns.map((column, place) => {
    const button = element('button', { type: 'button' }, column.name);
    button.addEventListener('click', () => {
      table.down = table.by === place ? !table.down : false;
      table.by = place;
      drawTable();
      byId('table').querySelectorAll('thead button')[place].focus({ preventScroll: true });
    });
    const sorted = (table.by ?? 0) === place ? (table.down ? 'descending' : 'ascending') : null;
    return element('th', {
      scope: 'col', class: 'number', 'aria-sort': sorted,
      title: column.level ? `level of ${column.name}, or its number of groups or labels`
        : column.meaning || null,
    }, button);
  });
  const rows = order.slice(0, table.shown).map(tableRow);
  byId('table').replaceChildren(element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows));
  const left = order.length - rows.length;
  byId('more').hidden = left <= 0;
  byId('more').textContent = `Show ${grouped(Math.min(left, PART))} more of ${grouped(left)}`;
  byId('solutions-text').textContent = `${grouped(order.length)} `
    + `${order.length === 1 ? 'solution' : 'solutions'}. The columns after `
    + `“${data.freedoms ? 'freedom' : 'classes'}” show ${order.every((s) => s.labels.length)
      ? 'how many different labels each quasi-identifier has.'
      : 'the level of each quasi-identifier; level 0 keeps the original values.'}${data.folded_text
      ? ` ${data.folded_text}` : ''}`;
}

function tableRow(solution) {
  const row = element('tr', { 'data-id': solution.id },
    ...tableColumns.map((column, place) => {
      if (place > 0) return element('td', { class: 'number' }, column.text(solution));
      const button = element('button', { type: 'button' }, column.text(solution));
      return element('th', { scope: 'row', class: 'number' }, button);
    }));
  if (solution.id === chart.selected) row.setAttribute('aria-current', 'true');
  return row;
}

function markRow() {
  for (const row of byId('table').querySelectorAll('tbody tr')) {
    if (Number(row.dataset.id) === chart.selected) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

function startTable() {
  byId('table').addEventListener('click', (event) => {
    const row = event.target.closest('tbody tr');
    if (row) chart.onSelect(Number(row.dataset.id));
  });
  byId('more').addEventListener('click', () => {
    table.shown += PART;
    drawTable();
  });
  drawTable();
}
