// What the selected solution does.
function showSolution(solution) {
  byId('solution-title').textContent = `Solution ${solution.id}`;
  byId('solution-marks').textContent = [
    data.freedoms ? `${solution.freedom} recoding` : '',
    solution.id === data.knee ? 'knee of the front' : '',
    data.regions.some((r) => r.end === solution.id) ? 'far end of a flat region'
      : data.regions.some((r) => r.solutions.includes(solution.id)) ? 'in a flat region' : '',
    solution.equals ? `${grouped(solution.equals)} more with the same classes` : '',
  ].filter(Boolean).join(', ');
  showKeyMetrics(solution);
  byId('bound').hidden = !solution.bound;
  byId('bound').textContent = solution.bound ?? '';
  showNeighbours(solution);
  byId('columns-text').textContent = `${solution.labels.length
    ? 'How many different labels each has, as they differ from class to class, how many values a label covers'
    : 'How far each is generalized'}, the mean information loss of its cells, and its share of the `
    + 'total loss. A suppressed record loses all of its cells.';
  byId('columns').replaceChildren(...data.columns.map((c, place) => columnLine(solution, c, place)));
  drawCurve(solution);
  byId('command').textContent = data.command.replace('{id}', solution.id);
  showMetrics(solution);
}

function showKeyMetrics(solution) {
  const card = (name, value, note, title) => element('div', {},
    element('span', { class: 'what' }, explained(name, title)),
    element('span', { class: 'value' }, value),
    element('span', { class: 'note' }, note));
  const extra = data.metrics.findIndex((f) => f.name === 'normalized-loss');
  const shown = [...objectives];
  if (extra >= 0 && !shown.includes(extra)) shown.push(extra);
  const cards = shown.map((place) => {
    const metric = data.metrics[place];
    return card(metric.name, written(metric, solution.metrics[place]),
      `original: ${written(metric, metric.before)}`, metric.meaning);
  });
  cards.push(card('suppressed records', percent(solution.suppressed / data.rows),
    `${rowsText(solution.suppressed)} of ${grouped(data.rows)}`,
    'The records that the release leaves out.'));
  cards.push(card('unique records', percent(solution.alone),
    `original: ${percent(data.alone_before)}`,
    data.counts_people
      ? 'The share of released records whose combination of quasi-identifiers nobody else has.'
      : 'The share of released records whose combination of quasi-identifiers no other record has: sample uniques.'));
  byId('key-metrics').replaceChildren(...cards);
}

function showNeighbours(solution) {
  const line = (sentence, id, text) => {
    if (!sentence) return null;
    const button = element('button', { type: 'button', class: 'sentence' }, sentence.text,
      sentence.flat ? element('span', { class: 'mark' }, 'flat') : null);
    button.addEventListener('click', () => chart.onSelect(id));
    return element('li', {}, element('span', { class: 'note' }, text), button);
  };
  byId('neighbours').replaceChildren(...[
    line(solution.up, solution.up && solution.up.end, solution.up && `${solution.up.gain} `),
    line(solution.down, solution.down && solution.down.start, 'less information loss '),
  ].filter(Boolean));
}

function columnLine(solution, column, place) {
  const loss = solution.column_losses[place];
  const bar = element('span', { class: 'bar' }, element('i'));
  bar.firstChild.style.width = `${within(100 * loss, 0, 100)}%`;
  const { what, note, steps, labels } = solution.labels.length
    ? labelled(solution.labels[place], column) : recoded(solution.levels[place], column);
  return element('div', { class: 'column' },
    element('div', { class: 'line' }, element('strong', {}, column.name), steps,
      element('span', { class: 'note' }, note)),
    element('div', { class: 'line' }, element('span', {}, what), labels),
    element('div', { class: 'line' }, bar, element('span', { class: 'note' },
      `${percent(loss)} information loss, ${percent(solution.loss_parts[place])} of the total`)));
}

// What becomes of a column in a local recoding: its labels differ from class to class.
function labelled({ count, covered, examples }, column) {
  const labels = element('span', { class: 'labels' });
  for (const label of examples) labels.append(element('code', {}, label));
  if (examples.length && count > examples.length) labels.append('…');
  const mean = covered < 100 ? covered.toFixed(1) : grouped(covered);
  return {
    labels,
    note: `${grouped(count)} different ${count === 1 ? 'label' : 'labels'}`,
    what: examples.length ? `a label covers ${mean} of ${grouped(column.values)} values in the mean`
      : `unchanged, ${grouped(column.values)} values`,
  };
}

// What becomes of a column at a level, or by a partition.
function recoded(level, column) {
  const top = column.levels.filter((each) => each.on_level).length - 1;
  const { blocks, examples, name, on_level: onLevel } = column.levels[level];
  const steps = element('span', { class: 'steps', 'aria-hidden': 'true' });
  for (let at = 1; at <= top && onLevel && !name; at += 1) {
    steps.append(element('i', at <= level ? { class: 'on' } : {}));
  }
  const what = level === 0 && blocks === column.values ? `unchanged, ${grouped(column.values)} values`
    : blocks === 1 ? 'fully generalized'
      : `${grouped(column.values)} values in ${grouped(blocks)} groups`;
  const labels = element('span', { class: 'labels' });
  if (blocks > 1) for (const label of examples) labels.append(element('code', {}, label));
  if (examples.length && blocks > examples.length && blocks > 1) labels.append('…');
  const note = !onLevel ? 'a partition of its own'
    : name ? `partition ${name}` : `level ${level} of ${top}`;
  return { what, note, steps, labels };
}

function showMetrics(solution) {
  const names = ['metric', 'original', 'anonymized', 'better', 'unit'];
  const head = element('tr', {}, ...names.map((name, at) =>
    element('th', { scope: 'col', class: at === 1 || at === 2 ? 'number' : null }, name)));
  const rows = data.metrics.map((metric, place) => element('tr', {},
    element('th', { scope: 'row', class: metric.objective ? 'objective' : null },
      explainedMetric(metric)),
    element('td', { class: 'number' }, written(metric, metric.before)),
    element('td', { class: 'number' }, written(metric, solution.metrics[place])),
    element('td', {}, metric.direction),
    element('td', { class: 'note' }, metric.unit)));
  byId('metrics').replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
}
