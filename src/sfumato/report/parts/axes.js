// Scales of an axis: from a value to a place between 0 and 1 and back, and round marks on it.
function makeScale(logarithmic, low, high) {
  const into = logarithmic ? (value) => Math.log10(Math.max(value, 0.5)) : (value) => value;
  const back = logarithmic ? (place) => 10 ** place : (place) => place;
  const start = into(low);
  const width = into(high) - start || 1;
  return {
    logarithmic, low, high,
    place: (value) => (into(value) - start) / width,
    value: (place) => back(start + place * width),
    ticks: (count) => (logarithmic ? logTicks(low, high, count) : evenTicks(low, high, count)),
  };
}

function evenTicks(low, high, count) {
  const span = high - low || 1;
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough * 0.8);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}

function logTicks(low, high, count) {
  const first = Math.floor(Math.log10(Math.max(low, 0.5)));
  const last = Math.ceil(Math.log10(high));
  for (const parts of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]]) {
    const found = [];
    for (let power = first; power <= last; power += 1) {
      for (const part of parts) {
        const value = part * 10 ** power;
        if (value >= low * 0.9999 && value <= high * 1.0001) found.push(value);
      }
    }
    if (found.length <= count && found.length >= 2) return found;
    if (parts.length === 9 && found.length < 2) return evenTicks(low, high, count);
    if (parts.length === 1) {
      const every = Math.ceil(found.length / count);
      return found.filter((_, place) => place % every === 0);
    }
  }
  return [];
}

function tickText(metric, value) {
  if (isShare(metric)) return Number((100 * value).toPrecision(4)) + ' %';
  if (Math.abs(value) >= 1e6) {
    const exponent = Math.floor(Math.log10(value));
    const power = [...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');
    const part = Number((value / 10 ** exponent).toPrecision(3));
    return part === 1 ? `10${power}` : `${part}·10${power}`;
  }
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

// The frame of a chart: grid, marks, and the names of the axes. Places are in pixels.
function drawFrame(box, xScale, yScale, xMetric, yMetric, xName, yName) {
  const frame = drawn('g', { class: 'frame' });
  const x = (value) => box.left + xScale.place(value) * box.width;
  const y = (value) => box.top + (1 - yScale.place(value)) * box.height;
  for (const tick of yScale.ticks(within(Math.floor(box.height / 45), 2, 8))) {
    frame.append(
      drawn('line', { x1: box.left, x2: box.left + box.width, y1: y(tick), y2: y(tick) }),
      drawn('text', { x: box.left - 8, y: y(tick) + 4, 'text-anchor': 'end' },
        tickText(yMetric, tick)),
    );
  }
  const bottom = box.top + box.height;
  for (const tick of xScale.ticks(within(Math.floor(box.width / 50), 2, 12))) {
    frame.append(
      drawn('line', { class: 'tick', x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 5 }),
      drawn('text', { x: x(tick), y: bottom + 19, 'text-anchor': 'middle' },
        tickText(xMetric, tick)),
    );
  }
  frame.append(
    drawn('line', { class: 'axis', x1: box.left, x2: box.left + box.width, y1: bottom, y2: bottom }),
    drawn('text', { class: 'name', x: box.left + box.width, y: bottom + 38, 'text-anchor': 'end' },
      xName),
    drawn('text', { class: 'name', x: 0, y: 12 }, yName),
  );
  return frame;
}
