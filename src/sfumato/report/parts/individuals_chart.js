// Curves over individuals: each vector sorted by itself, and both for the same individual.
function chartBox(holder) {
  const width = Math.max(260, holder.clientWidth);
  const height = within(width * 0.62, 230, 340);
  return { width, height, box: { left: 62, top: 26, width: width - 62 - 24, height: height - 26 - 46 } };
}

// Room above and below all values that a chart may show of a property.
function valueScale(one) {
  const ends = one.metrics.flatMap((f) => [f.worst, f.best]);
  let [low, high] = [Math.min(...ends), Math.max(...ends)];
  if (isLogarithmic(one)) return makeScale(true, low / 1.15, high * 1.15);
  if (low >= 0) low = Math.min(low, 0.25 * high) === low ? 0 : low;
  const margin = (high - low || Math.abs(high) || 1) * 0.05;
  return makeScale(false, low === 0 ? 0 : low - margin, high + margin);
}

// A step from each share to the next at its value.
function steps(shares, values, x, y) {
  let path = `M${x(0)} ${y(values[0])}`;
  shares.forEach((share, at) => {
    path += `${at ? `V${y(values[at])}` : ''}H${x(share)}`;
  });
  return path;
}

// The same without the lines between, where neighbours have nothing to do with each other.
const dashes = (shares, values, x, y) => shares.map((share, at) =>
  `M${x(at ? shares[at - 1] : 0)} ${y(values[at])}H${x(share)}`).join('');

function band(curve, x, y) {
  const back = curve.shares.map((_, at) => at).reverse()
    .map((at) => `V${y(curve.low[at])}H${x(at ? curve.shares[at - 1] : 0)}`).join('');
  return `${steps(curve.shares, curve.high, x, y)}${back}Z`;
}

const stepAt = (curve, share) => {
  const at = curve.shares.findIndex((end) => share <= end + 1e-9);
  return at < 0 ? curve.shares.length - 1 : at;
};

function drawIndividuals(id, label, draw, tell) {
  const one = property();
  const holder = byId(id);
  const { width, height, box } = chartBox(holder);
  const xScale = makeScale(false, 0, 1);
  const yScale = valueScale(one);
  const x = (share) => (box.left + share * box.width).toFixed(1);
  const y = (value) => (box.top + (1 - within(yScale.place(value), 0, 1)) * box.height).toFixed(1);
  const guide = drawn('path', { class: 'guide', hidden: '' });
  const tip = element('div', { class: 'tooltip', hidden: '' });
  const name = `${words(one)} (${better(one)}${isLogarithmic(one) ? ', logarithmic' : ''})`;
  const picture = drawn('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label,
  }, drawFrame(box, xScale, yScale, { scale: 'share' }, one, 'records, worst off first', name),
  ...draw(x, y), guide);
  const hover = (event) => {
    const frame = picture.getBoundingClientRect();
    const at = (event.clientX - frame.left) * width / frame.width;
    const share = (at - box.left) / box.width;
    const inside = share >= 0 && share <= 1;
    tip.hidden = !inside;
    guide.toggleAttribute('hidden', !inside);
    if (!inside) return;
    guide.setAttribute('d', `M${at} ${box.top}V${box.top + box.height}`);
    tip.replaceChildren(...tell(share).map((text, place) =>
      element(place ? 'span' : 'strong', {}, text)));
    const room = holder.clientWidth - tip.offsetWidth - 4;
    const right = at + 12;
    tip.style.left = `${right <= room ? right : Math.max(0, at - tip.offsetWidth - 12)}px`;
    tip.style.top = `${box.top + 4}px`;
  };
  picture.addEventListener('pointermove', hover);
  picture.addEventListener('pointerdown', hover);
  picture.addEventListener('pointerleave', () => { tip.hidden = true; guide.setAttribute('hidden', ''); });
  holder.replaceChildren(picture, tip);
}

function drawSorted() {
  const one = property();
  const [a, b] = one.curves;
  drawIndividuals('sorted', `${words(one)} of all records, sorted, in both`, (x, y) => [
    drawn('path', { class: 'line-b', d: steps(b.shares, b.values, x, y) }),
    drawn('path', { class: 'line-a', d: steps(a.shares, a.values, x, y) }),
  ], (share) => [`at ${percent(share)} from the worst off`,
    `${nameA}: ${measured(one, a.values[stepAt(a, share)])}`,
    `${nameB}: ${measured(one, b.values[stepAt(b, share)])}`]);
}

function drawSame() {
  const one = property();
  const curve = one.by_individual[shown.order];
  const [name, over] = shown.order ? [nameB, nameA] : [nameA, nameB];
  const [ordered, other] = shown.order ? ['b', 'a'] : ['a', 'b'];
  byId('individuals-text').textContent = `Records ordered by ${name}, with ${over} `
    + `for the same records: the median of every ${rowsText(Math.round(data.rows / curve.shares.length))}, `
    + 'shaded from the lowest to the highest tenth.';
  drawIndividuals('individuals', `${words(one)} of records ordered by ${name}`, (x, y) => [
    drawn('path', { class: `band-${other}`, d: band(curve, x, y) }),
    drawn('path', { class: `line-${other}`, d: dashes(curve.shares, curve.median, x, y) }),
    drawn('path', { class: `line-${ordered}`, d: steps(curve.shares, curve.ordered, x, y) }),
  ], (share) => {
    const at = stepAt(curve, share);
    const [low, high] = [curve.low[at], curve.high[at]];
    const spread = low === high ? '' : `, mostly ${written(one, low)} to ${written(one, high)}`;
    return [`at ${percent(share)} from the worst off in ${name}`,
      `${name}: ${measured(one, curve.ordered[at])}`,
      `${over}: ${measured(one, curve.median[at])}${spread}`];
  });
}

function drawSpread() {
  const one = property();
  const metrics = [['worst', 'worst off'], ['worst_tenth', 'worst tenth, mean'],
    ['median', 'median'], ['mean', 'mean'], ['best', 'best off'], ['gini', 'Gini coefficient']];
  const head = element('tr', {}, element('th', { scope: 'col' }, one.unit),
    ...metrics.map(([, text]) => element('th', { scope: 'col', class: 'number' }, text)));
  const rows = one.metrics.map((values, side) => element('tr', {},
    element('th', { scope: 'row', class: side ? 'b-name' : 'a-name' }, data.names[side]),
    ...metrics.map(([key]) => element('td', { class: 'number' },
      key === 'gini' ? written({}, values[key]) : written(one, values[key])))));
  byId('spread').replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
}
