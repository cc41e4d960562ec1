// What axes say: one unit for all ticks, and as many digits as tell neighbours apart.

const UNITS: Record<'time' | 'bytes', [number, string][]> = {
  time: [[1e6, 's'], [1e3, 'ms'], [1, 'µs'], [1e-3, 'ns']],
  bytes: [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'KB'], [1, 'B']],
};
const NARROW = '\u202f';

// `step` is how far values that are to be told apart lie from one another, `most` the largest of them.
export function tickLabel(kind: 'time' | 'bytes', value: number, step: number, most: number): string {
  const units = UNITS[kind];
  const [size, unit] = units.find(([least]) => Math.abs(most) >= least) ?? units[units.length - 1]!;
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)));
  return (value / size).toFixed(digits) + NARROW + unit;
}

// A moment, as fine as a pixel of the window that it is looked at in.
export function momentLabel(micros: number, windowWidth: number): string {
  return tickLabel('time', micros, Math.max(windowWidth / 2000, 1e-3), micros === 0 ? 1 : Math.abs(micros));
}
