// The front: points, the staircase, flat regions, the knee and the selected solution.
const chart = {
  x: data.x, y: data.y, view: null, selected: data.chosen, points: [], box: null, onSelect: null,
  onView: null,
};

const tooltip = element('div', { class: 'tooltip', hidden: '' });
const picture = drawn('svg', {
  tabindex: '0', role: 'application', 'aria-roledescription': 'chart',
});
byId('chart').append(picture, tooltip);

function axisName(metric) {
  const scale = isLogarithmic(metric) ? ', logarithmic' : '';
  const better = metric.direction === 'higher' ? 'higher is better' : 'lower is better';
  return `${metric.name} (${better}${scale})`;
}

// The whole extent of a metric, with a margin so that no point lies on the border.
function extent(place) {
  const metric = data.metrics[place];
  const values = data.solutions.map((s) => valueOf(s, place)).filter(Number.isFinite);
  let low = values.length ? Math.min(...values) : 0;
  let high = values.length ? Math.max(...values) : 1;
  if (isLogarithmic(metric)) {
    low = Math.max(low, 0.5);
    high = Math.max(high, 2 * low);
    const margin = (high / low) ** 0.03;
    return [low / margin, high * margin];
  }
  const margin = (high - low || Math.abs(high) || 1) * 0.04;
  return [low - margin, high + margin];
}

function resetView() {
  chart.view = { x: extent(chart.x), y: extent(chart.y), whole: true };
}

function drawChart() {
  const holder = byId('chart');
  const width = Math.max(280, holder.clientWidth);
  const height = within(width * (width > 600 ? 0.86 : 0.72), 300, 640);
  const left = 62;
  const box = { left, top: 26, width: width - left - 14, height: height - 26 - 46 };
  const xMetric = data.metrics[chart.x];
  const yMetric = data.metrics[chart.y];
  const xScale = makeScale(isLogarithmic(xMetric), ...chart.view.x);
  const yScale = makeScale(isLogarithmic(yMetric), ...chart.view.y);
  Object.assign(chart, { box, xScale, yScale });
  const places = new Map(data.solutions.map((s) => [s.id, {
    id: s.id,
    x: box.left + xScale.place(valueOf(s, chart.x)) * box.width,
    y: box.top + (1 - yScale.place(valueOf(s, chart.y))) * box.height,
  }]));
  chart.points = listed.map((s) => places.get(s.id)).filter((p) => Number.isFinite(p.x)
    && Number.isFinite(p.y)
    && p.x >= box.left - 1 && p.x <= box.left + box.width + 1
    && p.y >= box.top - 1 && p.y <= box.top + box.height + 1);
  const inside = drawn('g', { 'clip-path': 'url(#inside)' });
  const usual = chart.x === data.x && chart.y === data.y;
  if (usual) drawRegions(inside, places, box);
  if (usual) drawStairs(inside, places);
  const onStairs = new Set(usual ? data.staircase : data.solutions.map((s) => s.id));
  const radius = chart.points.length > 400 ? 2.6 : chart.points.length > 120 ? 3.4 : 4.4;
  for (const point of chart.points) {
    const { freedom } = data.solutions[point.id];
    // Where there are several freedoms, their shapes tell them apart, and none is pale.
    const aside = onStairs.has(point.id) || data.freedoms ? '' : ' aside';
    inside.append(mark(data.freedoms ? freedom : 'global', point, radius, {
      class: `point${aside}${data.freedoms ? ` ${freedom}` : ''}`, 'data-id': point.id,
    }));
  }
  const marks = drawn('g', { class: 'top' });
  drawKnee(marks, places.get(data.knee));
  drawSelected(marks, places.get(chart.selected));
  picture.replaceChildren();
  fill(picture, {
    viewBox: `0 0 ${width} ${height}`, width, height,
    'aria-label': `The Pareto front: ${xMetric.name} against ${yMetric.name}, `
      + `${listed.length} solutions. Arrow keys move along it.`,
  }, [
    drawn('defs', {}, drawn('clipPath', { id: 'inside' },
      drawn('rect', { x: box.left, y: box.top - 8, width: box.width, height: box.height + 8 }))),
    drawFrame(box, xScale, yScale, xMetric, yMetric, axisName(xMetric), axisName(yMetric)),
    inside, marks, drawn('rect', { class: 'band', hidden: '' }),
  ]);
  tooltip.hidden = true;
  byId('zoom-reset').disabled = chart.view.whole;
  byId('zoom-out').disabled = chart.view.whole;
  drawLegend(usual);
}

// A circle, a diamond or a triangle, by freedom.
function mark(freedom, { x, y }, radius, attributes) {
  if (freedom === 'global') return drawn('circle', { cx: x, cy: y, r: radius, ...attributes });
  const r = radius * 1.3;
  const ends = freedom === 'partitions' ? [[0, -r], [r, 0], [0, r], [-r, 0]]
    : [[0, -r], [0.9 * r, 0.7 * r], [-0.9 * r, 0.7 * r]];
  const along = ends.map(([right, down]) => `${(x + right).toFixed(1)} ${(y + down).toFixed(1)}`);
  return drawn('path', { d: `M${along.join('L')}Z`, ...attributes });
}

function drawRegions(layer, places, box) {
  for (const region of data.regions) {
    const [first, last] = [places.get(region.start).x, places.get(region.end).x];
    const low = Math.min(first, last);
    layer.append(drawn('rect', {
      class: 'region', x: low, y: box.top, width: Math.max(3, Math.abs(last - first)),
      height: box.height,
    }, drawn('title', {}, region.text)));
  }
}

function drawStairs(layer, places) {
  const along = data.staircase.map((id) => places.get(id))
    .filter((p) => Number.isFinite(p.x) && Number.isFinite(p.y));
  if (along.length < 2) return;
  const path = along.map((p, at) => (at ? `V${p.y.toFixed(1)}H${p.x.toFixed(1)}`
    : `M${p.x.toFixed(1)} ${p.y.toFixed(1)}`)).join('');
  layer.append(drawn('path', { class: 'stairs', d: path }));
}

const visible = (point) => point && chart.points.some((p) => p.id === point.id);

function drawKnee(layer, point) {
  if (!visible(point)) return;
  layer.append(drawn('circle', { class: 'knee', cx: point.x, cy: point.y, r: 9 }));
  const toLeft = point.x > chart.box.left + chart.box.width - 60;
  layer.append(drawn('text', {
    class: 'knee-name', x: point.x + (toLeft ? -14 : 14), y: point.y + 17,
    'text-anchor': toLeft ? 'end' : 'start',
  }, 'knee'));
}

function drawSelected(layer, point) {
  if (!visible(point)) return;
  const { box } = chart;
  layer.append(
    drawn('path', { class: 'guide', d: `M${box.left} ${point.y}H${point.x}V${box.top + box.height}` }),
    drawn('circle', { class: 'selected', cx: point.x, cy: point.y, r: 6.5 }),
  );
}

function drawLegend(usual) {
  const line = (name, text) => element('li', {}, element('span', { class: `key ${name}` }), text);
  const lines = [line('chosen', 'selected')];
  for (const { freedom } of data.freedoms ? data.freedoms.freedoms : []) {
    lines.push(line(`shape ${freedom}`, freedom));
  }
  if (data.knee !== null) lines.push(line('at-knee', `knee: best balance of ${data.knee_weighs}`));
  if (usual && data.regions.length) lines.push(line('flat', 'flat region'));
  if (usual && !data.freedoms && listed.some((s) => !data.staircase.includes(s.id))) {
    lines.push(line('off', 'optimal by another objective'));
  }
  byId('legend').replaceChildren(...lines);
}
