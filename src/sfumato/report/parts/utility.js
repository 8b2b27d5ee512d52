// What analysts can still do: distributions, associations, queries, groups, learning.
function showUtility() {
  const told = data.utility;
  if (!told) return;
  byId('utility').hidden = false;
  byId('utility-text').textContent = told.text;
  byId('distributions').replaceChildren(...told.columns.map(distributionCard));
  byId('same').textContent = told.same;
  showAssociations(told);
  showQueries(told);
  showGroups(told);
  if (told.targets.length) startLearning(told);
}

// Bars are the originals, lines the release.
function distributionCard(column) {
  const width = 300;
  const height = 110;
  const most = Math.max(...column.before, ...column.after, 1e-9);
  const wide = width / column.bins.length;
  const tall = (share) => (share / most) * (height - 6);
  const picture = drawn('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img', preserveAspectRatio: 'none',
    'aria-label': `${column.name}: the distributions differ by ${percent(column.distance)}`,
  });
  column.bins.forEach((bin, at) => {
    const before = tall(column.before[at]);
    const after = height - tall(column.after[at]);
    picture.append(
      drawn('rect', { class: 'was', x: at * wide + 1, width: Math.max(0.5, wide - 2), y: height - before, height: before }),
      drawn('line', { class: 'now', x1: at * wide, x2: (at + 1) * wide, y1: after, y2: after }),
      drawn('rect', { class: 'over', x: at * wide, width: wide, y: 0, height },
        drawn('title', {}, `${bin}: ${percent(column.before[at])} in the originals, ${percent(column.after[at])} in the release`)),
    );
  });
  return element('div', { class: 'distribution' },
    element('div', { class: 'line' }, element('strong', {}, column.name),
      element('span', { class: 'note' }, `${percent(column.distance)} moved`)),
    picture,
    element('div', { class: 'ends note' }, element('span', {}, column.bins[0]),
      column.bins.length > 1 ? element('span', {}, column.bins[column.bins.length - 1]) : null),
    ...column.notes.map((note) => element('div', { class: 'note' }, note)));
}

// Above the diagonal the originals, below it what the release adds or takes away.
function showAssociations({ names, associations, correlations }) {
  const cells = new Map(associations.map(([i, j, before, after]) => [`${i} ${j}`, [before, after]]));
  const two = (value) => value.toFixed(2).replace(/^(-?)0\./, '$1.').replace('-', '−');
  const cell = (row, column) => {
    if (row === column) return element('td', { class: 'self' });
    const [before, after] = cells.get(row < column ? `${row} ${column}` : `${column} ${row}`);
    const pair = `${names[Math.min(row, column)]} and ${names[Math.max(row, column)]}: ${two(before)} in the originals, ${two(after)} in the release`;
    const change = after - before;
    const above = row < column;
    const kind = above ? 'was' : change < 0 ? 'less' : 'more';
    const node = element('td', { class: `number ${kind}`, title: pair },
      above ? two(before) : Math.abs(change) < 0.005 ? '0' : `${change > 0 ? '+' : ''}${two(change)}`);
    node.style.setProperty('--strength', String(Math.round(100 * within(above ? before : 2 * Math.abs(change), 0, 1))));
    return node;
  };
  byId('associations').replaceChildren(
    element('thead', {}, element('tr', {}, element('td'),
      ...names.map((name) => element('th', { scope: 'col' }, element('span', {}, name))))),
    element('tbody', {}, ...names.map((name, row) => element('tr', {},
      element('th', { scope: 'row' }, name), ...names.map((_, column) => cell(row, column))))));
  byId('correlations').replaceChildren(...correlations.map((text) => element('li', {}, text)));
}

function plainTable(id, heads, rows, numbers) {
  byId(id).replaceChildren(
    element('thead', {}, element('tr', {}, ...heads.map((head, at) =>
      element('th', { scope: 'col', class: numbers.includes(at) ? 'number' : null }, head)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((text, at) =>
      element(at ? 'td' : 'th', { scope: at ? null : 'row', class: numbers.includes(at) ? 'number' : null, 'data-of': at ? heads[at] : null }, text))))));
}

function showQueries({ queries_text: texts, queries }) {
  byId('queries-text').replaceChildren(...texts.map((text) => element('li', {}, text)));
  byId('queries').hidden = !queries.length;
  plainTable('queries', ['query', 'originals', 'release', 'relative error'], queries.map((query) => [
    query.text, grouped(query.before), query.after.toLocaleString('en-US', { maximumFractionDigits: 1 }),
    query.error === null ? '–' : percent(query.error)]), [1, 2, 3]);
}

function showGroups({ groups }) {
  plainTable('groups', ['group', 'records', 'suppressed', 'distortion', 'most in'], groups.map((group) => [
    group.name, grouped(group.rows), grouped(group.suppressed), percent(group.distortion), group.worst]), [1, 2, 3]);
}

const learning = { target: 0, learner: 0 };

function startLearning({ targets }) {
  byId('learning').hidden = false;
  const choose = (id, key, names) => {
    const choice = byId(id);
    choice.replaceChildren(...names.map((name, at) => element('option', { value: at }, name)));
    choice.value = String(learning[key]);
    choice.onchange = () => {
      learning[key] = Number(choice.value);
      drawLearning();
    };
  };
  choose('target', 'target', targets.map((each) => each.name));
  choose('learner', 'learner', targets[0].learners);
  drawLearning();
}

function drawLearning() {
  const told = data.utility;
  if (!told || !told.targets.length) return;
  const target = told.targets[learning.target];
  const which = learning.learner;
  const exact = (share) => `${(100 * share).toFixed(1)} %`;
  const area = (value) => (value === null ? '–' : value.toFixed(3));
  const rows = [['originals', '', exact(target.originals[which]), area(target.original_areas[which])]];
  for (const point of target.points) {
    rows.push([point.freedom, grouped(point.k), exact(point.accuracies[which]), area(point.areas[which])]);
  }
  if (!target.points.length) {
    rows.push([`solution ${told.solution}`, '', exact(target.released[which]), area(target.released_areas[which])]);
  }
  rows.push(['majority', '', exact(target.majority), '0.500']);
  plainTable('scores', ['trained on', 'k', 'accuracy', 'AUC'], rows, [1, 2, 3]);
  byId('learning-chart').hidden = !target.points.length;
  if (target.points.length) drawAccuracies(target, which);
}

function drawAccuracies(target, which) {
  const holder = byId('learning-chart');
  const width = Math.max(260, holder.clientWidth);
  const height = within(width * 0.5, 240, 360);
  const box = { left: 58, top: 26, width: width - 58 - 18, height: height - 26 - 46 };
  const original = target.originals[which];
  const shares = [original, target.majority, ...target.points.map((p) => p.accuracies[which])];
  const room = (Math.max(...shares) - Math.min(...shares)) * 0.12 || 0.02;
  const ks = target.points.map((point) => point.k);
  const xScale = makeScale(true, Math.min(...ks) * 0.85, Math.max(...ks) * 1.2);
  const yScale = makeScale(false, Math.max(0, Math.min(...shares) - room), Math.min(1, Math.max(...shares) + room));
  const x = (value) => box.left + xScale.place(value) * box.width;
  const y = (value) => box.top + (1 - yScale.place(value)) * box.height;
  const parts = [];
  for (const [name, value] of [['originals', original], ['majority', target.majority]]) {
    parts.push(drawn('line', { class: 'reference', x1: box.left, x2: box.left + box.width, y1: y(value), y2: y(value) }),
      drawn('text', { class: 'reference-name', x: box.left + box.width, y: y(value) - 5, 'text-anchor': 'end' }, name));
  }
  const shapes = {
    global: (cx, cy) => drawn('circle', { cx, cy, r: 5 }),
    partitions: (cx, cy) => drawn('path', { d: `M${cx} ${cy - 6}L${cx + 6} ${cy}L${cx} ${cy + 6}L${cx - 6} ${cy}Z` }),
    local: (cx, cy) => drawn('path', { d: `M${cx} ${cy - 6}L${cx + 6} ${cy + 5}L${cx - 6} ${cy + 5}Z` }),
  };
  const freedoms = [...new Set(target.points.map((point) => point.freedom))];
  for (const freedom of freedoms) {
    const own = target.points.filter((point) => point.freedom === freedom).sort((a, b) => a.k - b.k);
    parts.push(drawn('path', { class: `learnt ${freedom}`,
      d: own.map((point, at) => `${at ? 'L' : 'M'}${x(point.k).toFixed(1)} ${y(point.accuracies[which]).toFixed(1)}`).join('') }));
    for (const point of own) {
      const mark = shapes[freedom](x(point.k), y(point.accuracies[which]));
      mark.setAttribute('class', `point ${freedom}`);
      mark.append(drawn('title', {}, `${freedom}, k ${grouped(point.k)}, solution ${point.solution}: ${(100 * point.accuracies[which]).toFixed(1)} %`));
      parts.push(mark);
    }
  }
  holder.replaceChildren(drawn('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
    'aria-label': `Accuracy for ${target.name} by ${target.learners[which]} against k; the table has all values`,
  }, drawFrame(box, xScale, yScale, { scale: 'logarithmic' }, { scale: 'share' }, 'k (logarithmic)', 'accuracy on unseen originals'), ...parts));
  byId('learning-legend').replaceChildren(...freedoms.map((freedom) => element('li', {},
    element('span', { class: `key shape ${freedom}` }), freedom)));
}
