// Whether the bias falls on one group: the same by the values of a column.
function drawGroups() {
  const one = property();
  const groups = one.groups[shown.by];
  const head = element('tr', {},
    element('th', { scope: 'col' }, data.columns[shown.by]),
    element('th', { scope: 'col', class: 'number' }, 'records'),
    element('th', { scope: 'col' }, 'better off'),
    element('th', { scope: 'col', class: 'number' }, `in ${nameA}`),
    element('th', { scope: 'col', class: 'number' }, `in ${nameB}`),
    element('th', { scope: 'col', class: 'number' }, `mean, ${nameA}`),
    element('th', { scope: 'col', class: 'number' }, `mean, ${nameB}`));
  byId('group-table').replaceChildren(element('thead', {}, head),
    element('tbody', {}, ...groups.map((group) => groupRow(one, group))));
  const untold = groups.some((g) => [g.better_off, g.worse_off, g.unchanged].includes(null));
  byId('groups-text').textContent = `By ${words(one)} (${better(one)}) and the values of a column. A `
    + 'group whose bar differs from the others bears an anonymization bias.';
  byId('groups-note').textContent = untold ? `Hatched and “–”: withheld, because one of the parts has fewer than `
    + `${grouped(data.fewest)} records.` : '';
}

function groupName(group) {
  if (group.value) return group.value;
  return group.values === 1 ? 'another value' : `${grouped(group.values)} other values`;
}

function groupRow(one, group) {
  const parts = [group.better_off, group.worse_off, group.unchanged];
  const share = (part) => (part === null ? '–' : shareText(part, group.rows));
  const text = `better off in ${nameA}: ${share(parts[0])}, in ${nameB}: ${share(parts[1])}, `
    + `unchanged: ${share(parts[2])}`;
  return element('tr', {},
    element('th', { scope: 'row' }, groupName(group)),
    element('td', { class: 'number' }, grouped(group.rows)),
    element('td', { class: 'wide' }, partsBar(parts, group.rows, text)),
    element('td', { class: 'number' }, share(parts[0])),
    element('td', { class: 'number' }, share(parts[1])),
    element('td', { class: 'number' }, written(one, group.first_mean)),
    element('td', { class: 'number' }, written(one, group.second_mean)));
}
