// Pointer, wheel, touch and keyboard on the front.
const NEAR = 24;

function nearest(x, y, reach) {
  let best = null;
  let least = reach * reach;
  for (const point of chart.points) {
    const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

// Solutions with the same metrics lie on one another: another click goes to the next of them.
const stacked = (point) => chart.points
  .filter((p) => Math.hypot(p.x - point.x, p.y - point.y) < 1).map((p) => p.id);

function selectAt(point) {
  const here = stacked(point);
  chart.onSelect(here[(here.indexOf(chart.selected) + 1) % here.length]);
}

// Keep a span inside the whole extent; spans are in places of the current scales.
function setView(x, y) {
  const whole = { x: extent(chart.x), y: extent(chart.y) };
  const view = { whole: true };
  for (const [axis, [low, high]] of Object.entries({ x, y })) {
    const scale = axis === 'x' ? chart.xScale : chart.yScale;
    if (high - low < 1e-6) return;
    const ends = [scale.value(low), scale.value(high)];
    view[axis] = [Math.max(ends[0], whole[axis][0]), Math.min(ends[1], whole[axis][1])];
    if (!(view[axis][1] > view[axis][0])) return;
    const near = makeScale(scale.logarithmic, ...whole[axis]);
    if (near.place(view[axis][0]) > 1e-6 || near.place(view[axis][1]) < 1 - 1e-6) view.whole = false;
  }
  chart.view = view.whole ? { ...whole, whole: true } : view;
  drawChart();
}

// Zoom around a place of the chart (0 to 1); factors below 1 zoom in.
function zoom(factor, atX = 0.5, atY = 0.5) {
  setView([atX - atX * factor, atX + (1 - atX) * factor],
    [atY - atY * factor, atY + (1 - atY) * factor]);
}

function showTooltip(point) {
  tooltip.hidden = !point;
  if (!point) return;
  const here = stacked(point);
  const solution = data.solutions[here.includes(chart.selected) ? chart.selected : here[0]];
  const lines = [...new Set([chart.x, chart.y, ...objectives])].map((place) => element('span', {},
    `${data.metrics[place].name}: ${written(data.metrics[place], solution.metrics[place])}`));
  lines.push(element('span', {}, `suppressed: ${rowsText(solution.suppressed)}`));
  if (data.freedoms) lines.push(element('span', {}, `${solution.freedom} recoding`));
  if (here.length > 1) lines.push(element('span', {}, `${here.length} lie here: click again`));
  tooltip.replaceChildren(element('strong', {}, `Solution ${solution.id}`), ...lines);
  const room = byId('chart').clientWidth - tooltip.offsetWidth - 4;
  tooltip.style.left = `${within(point.x + 14, 0, Math.max(0, room))}px`;
  const above = point.y - tooltip.offsetHeight - 10;
  tooltip.style.top = `${above > 0 ? above : point.y + 16}px`;
}

function startZoom() {
  const holder = byId('chart');
  const pointers = new Map();
  let armed = false; // a wheel that scrolls the page over the chart goes on scrolling the page
  let band = null;
  let pinch = null;
  let moved = false;
  const at = (event) => {
    const frame = holder.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const share = (place) => ({
    x: within((place.x - chart.box.left) / chart.box.width, 0, 1),
    y: within(1 - (place.y - chart.box.top) / chart.box.height, 0, 1),
  });
  window.addEventListener('scroll', () => { armed = false; }, { passive: true });
  holder.addEventListener('wheel', (event) => {
    if (!armed || (chart.view.whole && event.deltaY > 0)) return;
    event.preventDefault();
    const centre = share(at(event));
    zoom(Math.exp(within(event.deltaY, -200, 200) * 0.002), centre.x, centre.y);
  }, { passive: false });
  holder.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, at(event));
    moved = false;
    if (pointers.size === 2) pinch = pinchOf(pointers);
    else band = { from: at(event), touch: event.pointerType === 'touch' };
  });
  holder.addEventListener('pointermove', (event) => {
    const here = at(event);
    armed = true;
    if (!pointers.has(event.pointerId)) {
      showTooltip(nearest(here.x, here.y, NEAR));
      return;
    }
    const before = pointers.get(event.pointerId);
    pointers.set(event.pointerId, here);
    if (pinch && pointers.size === 2) {
      const next = pinchOf(pointers);
      const centre = share(next.centre);
      moved = true;
      zoom(within(pinch.distance / next.distance, 0.5, 2), centre.x, centre.y);
      pinch = next;
    } else if (band && Math.hypot(here.x - band.from.x, here.y - band.from.y) > 6) {
      moved = true;
      if (band.touch) pan(before, here);
      else showBand(band.from, here);
    }
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    const here = at(event);
    if (event.type === 'pointerup' && !moved) {
      const point = nearest(here.x, here.y, event.pointerType === 'touch' ? NEAR * 1.5 : NEAR);
      if (point) selectAt(point);
      showTooltip(event.pointerType === 'touch' ? null : point);
    } else if (event.type === 'pointerup' && band && !band.touch && !pinch) {
      const [from, to] = [share(band.from), share(here)];
      const wide = Math.abs(from.x - to.x) > 0.01 && Math.abs(from.y - to.y) > 0.01;
      if (wide) {
        setView([Math.min(from.x, to.x), Math.max(from.x, to.x)],
          [Math.min(from.y, to.y), Math.max(from.y, to.y)]);
      } else drawChart();
    }
    if (!pointers.size) [band, pinch] = [null, null];
  };
  window.addEventListener('pointerup', release);
  window.addEventListener('pointercancel', release);
  holder.addEventListener('pointerleave', () => showTooltip(null));
  holder.addEventListener('dblclick', () => { resetView(); drawChart(); });
  holder.addEventListener('keydown', onKey);
  byId('zoom-in').addEventListener('click', () => zoom(0.6));
  byId('zoom-out').addEventListener('click', () => zoom(1 / 0.6));
  byId('zoom-reset').addEventListener('click', () => { resetView(); drawChart(); });
}

function pinchOf(pointers) {
  const [first, second] = [...pointers.values()];
  return {
    distance: Math.max(10, Math.hypot(first.x - second.x, first.y - second.y)),
    centre: { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 },
  };
}

function pan(before, here) {
  if (chart.view.whole) return;
  const [x, y] = [(before.x - here.x) / chart.box.width, (here.y - before.y) / chart.box.height];
  const inside = ([low, high]) => low >= -1e-9 && high <= 1 + 1e-9;
  const whole = { x: extent(chart.x), y: extent(chart.y) };
  const moveable = (scale, by, ends) => {
    const span = makeScale(scale.logarithmic, ...ends);
    return inside([span.place(scale.value(by)), span.place(scale.value(1 + by))]) ? by : 0;
  };
  const byX = moveable(chart.xScale, x, whole.x);
  const byY = moveable(chart.yScale, y, whole.y);
  if (byX || byY) setView([byX, 1 + byX], [byY, 1 + byY]);
}

function showBand(from, to) {
  const { box } = chart;
  const rect = byId('chart').querySelector('.band');
  const [left, right] = [from.x, to.x].sort((a, b) => a - b)
    .map((x) => within(x, box.left, box.left + box.width));
  const [top, bottom] = [from.y, to.y].sort((a, b) => a - b)
    .map((y) => within(y, box.top, box.top + box.height));
  rect.removeAttribute('hidden');
  fill(rect, { x: left, y: top, width: right - left, height: bottom - top }, []);
  tooltip.hidden = true;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (step) {
    const order = listed.map((s) => s.id).filter((id) => Number.isFinite(
      valueOf(data.solutions[id], chart.x)));
    order.sort((a, b) => valueOf(data.solutions[a], chart.x) - valueOf(data.solutions[b], chart.x)
      || valueOf(data.solutions[a], chart.y) - valueOf(data.solutions[b], chart.y) || a - b);
    const next = within(order.indexOf(chart.selected) + step, 0, order.length - 1);
    chart.onSelect(order[next]);
  } else if (event.key === '+' || event.key === '=') zoom(0.6);
  else if (event.key === '-') zoom(1 / 0.6);
  else if (event.key === '0' || event.key === 'Escape') { resetView(); drawChart(); } else return;
  event.preventDefault();
}
