// By how much individuals are better off: B on the left, A on the right, the same between.
function drawGains() {
  const one = property();
  const { worse, unchanged, better: gained } = one.histogram;
  const bars = [
    ...[...worse].reverse().map((bin) => ({ ...bin, side: 'b', edge: bin.high })),
    ...(unchanged ? [{ low: 0, high: 0, rows: unchanged, side: 'same' }] : []),
    ...gained.map((bin) => ({ ...bin, side: 'a', edge: bin.high })),
  ];
  const holder = byId('gains');
  const width = Math.max(260, holder.clientWidth);
  const height = within(width * 0.3, 220, 300);
  const box = { left: 62, top: 34, width: width - 62 - 24, height: height - 34 - 46 };
  const tallest = Math.max(...bars.map((bar) => bar.rows), 1);
  const yScale = makeScale(false, 0, tallest * 1.04);
  const wide = Math.min(box.width / bars.length, 90);
  const start = box.left + (box.width - wide * bars.length) / 2;
  const bottom = box.top + box.height;
  const tip = element('div', { class: 'tooltip', hidden: '' });
  const frame = drawn('g', { class: 'frame' });
  for (const tick of yScale.ticks(4)) {
    const at = box.top + (1 - yScale.place(tick)) * box.height;
    frame.append(drawn('line', { x1: box.left, x2: box.left + box.width, y1: at, y2: at }),
      drawn('text', { x: box.left - 8, y: at + 4, 'text-anchor': 'end' }, tickText({}, tick)));
  }
  frame.append(drawn('line', { class: 'axis', x1: box.left, x2: box.left + box.width, y1: bottom, y2: bottom }));
  const layer = drawn('g');
  const picture = drawn('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gainsText(one),
  }, frame, layer);
  bars.forEach((bar, place) => {
    const tall = bar.rows ? Math.max(2, yScale.place(bar.rows) * box.height) : 0;
    const left = start + place * wide;
    const shape = drawn('rect', {
      class: `bar-${bar.side}`, x: left + 1, width: Math.max(1, wide - 2), y: bottom - tall, height: tall,
    });
    // A field over the whole height is easier to hit than a low bar.
    const field = drawn('rect', {
      x: left, width: wide, y: box.top, height: box.height, fill: 'transparent', 'data-bar': place,
    });
    const show = () => {
      for (const other of layer.querySelectorAll('.bar-here')) other.classList.remove('bar-here');
      shape.classList.add('bar-here');
      tip.hidden = false;
      tip.replaceChildren(...barText(one, bar).map((text, at) =>
        element(at ? 'span' : 'strong', {}, text)));
      const room = holder.clientWidth - tip.offsetWidth - 4;
      tip.style.left = `${within(left + wide / 2 - tip.offsetWidth / 2, 0, Math.max(0, room))}px`;
      tip.style.top = `${Math.max(0, bottom - tall - tip.offsetHeight - 8)}px`;
    };
    field.addEventListener('pointermove', show);
    field.addEventListener('pointerdown', show);
    layer.append(shape, field);
  });
  picture.addEventListener('pointerleave', () => {
    tip.hidden = true;
    for (const other of layer.querySelectorAll('.bar-here')) other.classList.remove('bar-here');
  });
  drawEdges(frame, one, bars, { start, wide, bottom, box });
  holder.replaceChildren(picture, tip);
  byId('gains-text').textContent = gainsText(one);
}

// The outer end of every bin, as many as there is room for; and which side is whose.
function drawEdges(frame, one, bars, { start, wide, bottom, box }) {
  const size = (value) => (isShare(one) ? String(Number((100 * value).toPrecision(3)))
    : tickText(one, value));
  let free = -Infinity;
  const put = (at, text) => {
    const half = text.length * 3.6 + 4;
    if (at - half < free) return;
    free = at + half;
    frame.append(drawn('line', { class: 'tick', x1: at, x2: at, y1: bottom, y2: bottom + 5 }),
      drawn('text', { x: at, y: bottom + 19, 'text-anchor': 'middle' }, text));
  };
  bars.forEach((bar, place) => {
    const left = start + place * wide;
    if (bar.side === 'b') put(left, size(bar.high));
    if (bar.side === 'same') put(left + wide / 2, '0');
    if (bar.side === 'a' && (!place || bars[place - 1].side === 'b')) put(left, '0');
    if (bar.side === 'a') put(left + wide, size(bar.high));
    if (bar.side === 'b' && place === bars.length - 1) put(left + wide, '0');
  });
  const unit = isShare(one) ? 'percentage points' : one.unit;
  frame.append(
    drawn('text', { class: 'name', x: 0, y: 12 }, 'records'),
    drawn('text', { class: 'name', x: box.left + box.width, y: bottom + 38, 'text-anchor': 'end' },
      `difference (${unit})`),
  );
  const middle = start + wide * bars.findIndex((bar) => bar.side === 'a');
  if (bars.some((bar) => bar.side === 'b')) {
    frame.append(drawn('text', { class: 'side-b', x: box.left + 4, y: box.top - 8 }, `← in ${nameB}`));
  }
  if (bars.some((bar) => bar.side === 'a')) {
    frame.append(drawn('text', {
      class: 'side-a', x: Math.max(middle, box.left + box.width - 4), y: box.top - 8, 'text-anchor': 'end',
    }, `in ${nameA} →`));
  }
}

function barText(one, bar) {
  const share = `${rowsText(bar.rows)} (${shareText(bar.rows, data.rows)})`;
  if (bar.side === 'same') return [share, 'unchanged'];
  const [low, high] = [written(one, bar.low), written(one, bar.high)];
  const unit = isShare(one) ? '' : ` ${one.unit}`;
  return [share, `better off in ${bar.side === 'a' ? nameA : nameB}`,
    `by ${bar.low ? `more than ${low}, ` : ''}up to ${high}${unit}`];
}

function gainsText(one) {
  const side = (count, name) => (count ? `${rowsText(count)} (${shareText(count, data.rows)}) `
    + `better off in ${name}` : `none is better off in ${name}`);
  return `${side(one.better_off, nameA)}; ${side(one.worse_off, nameB)}; `
    + `${one.unchanged ? rowsText(one.unchanged) : 'none'} unchanged.`;
}
