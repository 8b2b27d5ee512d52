// All comparators in a table, each with its sentence.
function verdictTable(id, verdicts) {
  const head = element('tr', {}, element('th', { scope: 'col' }, 'comparator'),
    element('th', { scope: 'col', class: 'number' }, nameA),
    element('th', { scope: 'col', class: 'number' }, nameB),
    element('th', { scope: 'col' }, 'better'), element('th', { scope: 'col' }, 'in words'));
  const winner = {
    better: [nameA, 'better-a'], worse: [nameB, 'better-b'], equal: ['equal', 'note'],
    incomparable: ['incomparable', 'note'],
  };
  const rows = verdicts.map((verdict) => {
    const [text, name] = winner[verdict.outcome];
    return element('tr', {},
      element('th', { scope: 'row', class: 'comparator' }, verdict.comparator,
        element('span', { class: 'note' }, verdict.reference)),
      element('td', { class: 'number', 'data-of': nameA }, written({}, verdict.first)),
      element('td', { class: 'number', 'data-of': nameB }, written({}, verdict.second)),
      element('td', { class: 'winner' }, element('span', { class: name }, text)),
      element('td', { class: 'words' }, verdict.sentence));
  });
  const table = byId(id);
  table.classList.add('verdicts');
  table.replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
}

function drawVerdicts() {
  const one = property();
  byId('verdicts-text').textContent = `On ${words(one)} (${better(one)}): ${voicesText(one.verdicts)}. `
    + 'Comparators need not agree: min considers the worst-off record only, coverage how many records '
    + 'are better off, spread by how much.';
  verdictTable('verdict-table', one.verdicts);
}
