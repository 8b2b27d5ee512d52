// Words that are explained: where the pointer rests, and by a click in the glossary.
const wordEntries = new Map();

function startWords() {
  for (const entry of document.querySelectorAll('#glossary dt')) {
    wordEntries.set(entry.textContent.trim().toLowerCase(), entry);
  }
}

function showWord(word) {
  const entry = wordEntries.get(word.toLowerCase());
  if (!entry) return;
  byId('glossary').open = true;
  for (const other of wordEntries.values()) other.classList.toggle('here', other === entry);
  entry.focus({ preventScroll: true });
  entry.scrollIntoView({ block: 'center' });
}

// A name as a button that leads to its explanation; a name without one as it is.
function explained(name, meaning, shown = name) {
  const entry = wordEntries.get(name.toLowerCase());
  if (!meaning && !entry) return element('span', {}, shown);
  const title = meaning || entry.nextElementSibling.textContent;
  const button = element('button', { type: 'button', class: 'explained', title }, shown);
  button.addEventListener('click', () => showWord(name));
  return button;
}

const explainedMetric = (metric) => explained(metric.name, metric.meaning);

// Facts and other terms that the page has from the beginning.
function explainTerms() {
  for (const term of document.querySelectorAll('.facts dt')) {
    const word = term.textContent;
    if (wordEntries.has(word.toLowerCase())) term.replaceChildren(explained(word, ''));
  }
}
