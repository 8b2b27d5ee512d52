// The risk of the selected solution beside that of the original table.
const RISKS = ['prosecutor-risk', 'mean-prosecutor-risk', 'risk-above', 'journalist-risk',
  'mean-journalist-risk', 'k-map', 'delta-presence', 'alpha', 'beta-likeness',
  'enhanced-beta-likeness', 'delta-disclosure'];

function showRisk(solution) {
  const who = data.counts_people ? 'people' : 'records';
  byId('risk-marks').textContent = `solution ${solution.id}`;
  byId('risk-hint').textContent = `The share of ${data.counts_people ? 'released records in classes of so many people' : 'records in classes of which size'}. `
    + 'Whoever is alone in a class is found for certain by somebody who knows that they are in the table.';
  const rows = data.metrics
    .map((metric, place) => ({ metric, place }))
    .map((row) => ({ ...row, rank: RISKS.indexOf(row.metric.name.split('(')[0]) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank);
  byId('risk-figures').replaceChildren(
    element('thead', {}, element('tr', {},
      element('th', { scope: 'col' }, 'risk'),
      element('th', { scope: 'col', class: 'number' }, 'before'),
      element('th', { scope: 'col', class: 'number' }, 'after'))),
    element('tbody', {}, ...rows.map(({ metric, place }) => element('tr', { title: metric.meaning },
      element('th', { scope: 'row' }, metric.name),
      element('td', { class: 'number' }, written(metric, metric.before)),
      element('td', { class: 'number' }, written(metric, solution.metrics[place]))))),
  );
  const before = percent(data.risk_before[0]);
  const after = percent(solution.risk[0]);
  byId('risk-text').textContent = `Before, ${before} of the records are alone with their quasi-identifiers; `
    + `in this solution ${after} of the released ones. Risks are those of ${who}.`;
  byId('risk-bands').replaceChildren(
    element('caption', { class: 'unseen' }, 'Records by the size of their class, before and after'),
    element('tbody', {}, ...data.risk_bands.map((band, place) => element('tr', {},
      element('th', { scope: 'row' }, band),
      element('td', {},
        barLine('before', data.risk_before[place]),
        barLine('after', solution.risk[place]))))),
  );
}

function barLine(kind, share) {
  const bar = drawn('svg', {
    class: `share ${kind}`, viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true',
  }, drawn('rect', { width: (100 * share).toPrecision(4), height: 8 }));
  return element('span', { class: 'bar-line' },
    element('span', { class: 'unseen' }, `${kind}: `), bar,
    element('span', { class: 'bar-text' }, percent(share)));
}
