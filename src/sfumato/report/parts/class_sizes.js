// The distribution of class sizes of the selected solution.
function drawCurve(solution) {
  const holder = byId('curve');
  const width = Math.max(260, holder.clientWidth);
  const height = within(width * 0.55, 220, 320);
  const box = { left: 52, top: 26, width: width - 52 - 14, height: height - 26 - 46 };
  const { sizes, shares } = solution.curve;
  // One axis for all solutions, so that they can be compared.
  const xScale = makeScale(true, 0.9, Math.max(2, data.rows) * 1.1);
  const yScale = makeScale(false, 0, 1);
  const x = (size) => (box.left + xScale.place(size) * box.width).toFixed(1);
  const y = (share) => (box.top + (1 - share) * box.height).toFixed(1);
  const parts = [];
  if (sizes.length) {
    const path = sizes.map((size, at) => `H${x(size)}V${y(shares[at])}`).join('');
    const end = `H${box.left + box.width}`;
    parts.push(
      drawn('path', { class: 'area', d: `M${box.left} ${y(0)}${path}${end}V${y(0)}Z` }),
      drawn('path', { class: 'curve', d: `M${box.left} ${y(0)}${path}${end}` }),
    );
  }
  holder.replaceChildren(drawn('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
    'aria-label': curveText(solution),
  }, drawFrame(box, xScale, yScale, { scale: 'logarithmic' }, { scale: 'share' },
    `class size (${data.counts_people ? 'people' : 'records'}, logarithmic)`, 'cumulative share of released records'),
  ...parts));
  byId('curve-text').textContent = curveText(solution);
}

function curveText(solution) {
  const { sizes, median } = solution.curve;
  const sizeText = data.counts_people ? peopleText : rowsText;
  if (!sizes.length) return 'No record is released.';
  return `${rowsText(solution.kept)} in ${grouped(solution.classes)} `
    + `${solution.classes === 1 ? 'class' : 'classes'}, of ${grouped(sizes[0])} to `
    + `${sizeText(sizes[sizes.length - 1])}. Half of the records are in classes of at most `
    + `${sizeText(median)}.`;
}
