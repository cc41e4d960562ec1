// Small things that the address holds: a range, and a set of what is folded.
import type { Range } from '../draw/scale';

export function parseRange(text: string): Range | null {
  const [from, to, ...more] = text.split(':');
  if (!from || !to || more.length || !Number.isFinite(Number(from)) || !Number.isFinite(Number(to))) return null;
  return { from: Number(from), to: Number(to) };
}

export function rangeOf(from: string, to: string): Range | null {
  const range = parseRange(`${from}:${to}`);
  return range && range.to > range.from ? range : null;
}

export function toggled(set: ReadonlySet<string>, key: string): string {
  return [...set].filter((one) => one !== key).concat(set.has(key) ? [] : key).sort().join(',');
}
