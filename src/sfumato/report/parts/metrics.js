// Metrics as people read them.
const isShare = (metric) => metric.scale === 'share';
const isLogarithmic = (metric) => metric.scale === 'logarithmic';

const grouped = (value) => Math.round(value).toLocaleString('en-US');

// Infinite metrics come as texts.
const numeric = (value) =>
  value === null || value === undefined ? NaN
    : typeof value === 'string' ? Number(value.replace('inf', 'Infinity')) : value;

function percent(share) {
  const points = 100 * share;
  if (points === 0) return '0 %';
  return (points < 0.1 ? points.toPrecision(1) : points.toFixed(1)) + ' %';
}

function written(metric, value) {
  const number = numeric(value);
  if (Number.isNaN(number)) return '–';
  if (!Number.isFinite(number)) return number > 0 ? 'infinite' : '−infinite';
  if (isShare(metric)) return percent(number);
  if (Number.isInteger(number)) return grouped(number);
  if (Math.abs(number) >= 1000) {
    return number.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  }
  return Number(number.toPrecision(3)).toString();
}

const peopleText = (count) => `${grouped(count)} ${count === 1 ? 'person' : 'people'}`;
const rowsText = (count) => `${grouped(count)} ${count === 1 ? 'record' : 'records'}`;
