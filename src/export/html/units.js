'use strict';
// How figures read: two digits and a unit on the page, the exact number in tooltips. A figure that does not fit a
// JavaScript number exactly arrives as a string of digits; null was not recorded.

const UNITS = {
  time: [[1, 'µs'], [1e3, 'ms'], [1e6, 's']],
  bytes: [[1, 'B'], [1e3, 'KB'], [1e6, 'MB'], [1e9, 'GB'], [1e12, 'TB']],
  count: [[1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G'], [1e12, 'T']],
};
const SINGULAR = { time: 'µs', bytes: 'bytes', count: '' };

function readable(kind, raw) {
  if (raw === null) return 'n/a';
  const value = Number(raw), size = Math.abs(value);
  if (kind === 'count' && size < 1e6) return exact(kind, raw);
  const unit = UNITS[kind].filter(([step]) => size >= step).pop() || UNITS[kind][0];
  const space = unit[1].length > 1 || unit[1] === 'B' ? '\u202f' : '';
  return (unit[0] === 1 ? String(raw) : (value / unit[0]).toFixed(2)) + space + unit[1];
}

function exact(kind, raw) {
  if (raw === null) return 'not recorded';
  const digits = String(raw).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return SINGULAR[kind] ? digits + ' ' + SINGULAR[kind] : digits;
}

function percent(part, whole) {
  return whole ? (100 * part / whole).toFixed(1) + '%' : '';
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
