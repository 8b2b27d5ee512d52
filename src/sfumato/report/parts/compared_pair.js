// The two anonymizations and the property that is looked at.
const [nameA, nameB] = data.names;
const shown = { property: data.chosen, order: 0, by: data.by };
const property = () => data.properties[shown.property];

const better = (one) => (one.direction === 'higher' ? 'higher is better' : 'lower is better');
const words = (one) => one.name.replaceAll('-', ' ');

// A number with its unit, where there is one to say.
function measured(one, value) {
  if (!isShare(one) && one.unit === 'rows') return rowsText(value);
  if (!isShare(one) && one.unit === 'people') return peopleText(value);
  return written(one, value);
}

// A share that is 0 or 100 % only where it is exact.
function shareText(part, all) {
  const points = 100 * part / all;
  if (points === 0 || points === 100) return `${points} %`;
  if (points < 0.1) return '< 0.1 %';
  return points > 99.9 ? '> 99.9 %' : `${points.toFixed(1)} %`;
}

// A bar of those who are better off in A, the same, and better off in B; null is not told.
function partsBar(parts, all, text) {
  const bar = element('span', { class: 'parts', role: 'img', 'aria-label': text, title: text });
  const known = parts.reduce((sum, part) => sum + (part ?? 0), 0);
  const untold = parts.includes(null);
  const add = (name, part) => {
    if (!part) return;
    const piece = element('i', { class: name });
    piece.style.flex = `${part} 0 ${part > 0 ? '2px' : '0'}`;
    bar.append(piece);
  };
  add('a', parts[0]);
  if (parts[0] === null) add('untold', untold ? all - known : 0);
  add('same', parts[2]);
  if (parts[0] !== null && untold) add('untold', all - known);
  add('b', parts[1]);
  return bar;
}

function partsText(one) {
  const said = [`${shareText(one.better_off, data.rows)} better off in ${nameA}`,
    `${shareText(one.worse_off, data.rows)} in ${nameB}`];
  if (one.unchanged) said.push(`${shareText(one.unchanged, data.rows)} unchanged`);
  return said.join(', ');
}

function drawSides() {
  const line = (name, text) => element('li', {}, element('span', { class: `key ${name}` }), text);
  byId('sides').replaceChildren(line('a', `better off in ${nameA}`),
    line('same', 'unchanged'), line('b', `better off in ${nameB}`));
}

function drawProperties() {
  byId('properties').replaceChildren(...data.properties.map((one, place) => {
    const button = element('button', {
      type: 'button', class: 'property', 'data-property': place,
      'aria-pressed': String(place === shown.property),
    }, element('strong', {}, one.name),
    partsBar([one.better_off, one.worse_off, one.unchanged], data.rows, partsText(one)),
    element('span', { class: 'note' }, voicesText(one.verdicts)));
    button.addEventListener('click', () => choose(place));
    return button;
  }));
}

function voicesText(verdicts) {
  const count = (outcome) => verdicts.filter((v) => v.outcome === outcome).length;
  return [[count('better'), `for ${nameA}`], [count('worse'), `for ${nameB}`],
    [count('equal'), 'equal'], [count('incomparable'), 'incomparable']]
    .filter(([number]) => number).map(([number, text]) => `${number} ${text}`).join(', ');
}
