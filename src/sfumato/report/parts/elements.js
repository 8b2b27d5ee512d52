// Elements are made here, and texts only ever set as text: nothing of the data is read as HTML.
const data = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';

const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) node.append(child); // a text becomes a text node
  }
  return node;
}

const element = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

const drawn = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

const within = (value, low, high) => Math.min(high, Math.max(low, value));
