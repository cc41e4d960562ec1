// How figures read: two digits and a unit on the page, the exact number in tooltips. A figure that does not fit a
// JavaScript number exactly arrives as a string of digits; null was not recorded.
import type { MaybeNum } from './types';

type Kind = 'time' | 'bytes' | 'count' | 'plain' | 'amount';

const STEP = 1000;
const STEPS: Record<'time' | 'bytes' | 'count', string[]> = {
  time: ['µs', 'ms', 's'],
  bytes: ['B', 'KB', 'MB', 'GB', 'TB'],
  count: ['', 'k', 'M', 'G', 'T'],
};
const WHOLE: Record<string, string> = { time: ' µs', bytes: ' bytes' };
const NARROW = '\u202f';  // a narrow space at which no line ends
const EXACT_COUNTS = 1e6;  // counts below this are read as they are

export const NOT_RECORDED = 'n/a';

export function num(raw: MaybeNum | undefined): number {
  return raw === null || raw === undefined ? NaN : Number(raw);
}

// The digits of a number, in groups of three; recorded fractions of a microsecond are kept.
export function grouped(raw: MaybeNum): string {
  if (raw === null) return NOT_RECORDED;
  const text = typeof raw === 'string' ? raw : Number.isInteger(raw) ? raw.toFixed(0) : String(Number(raw.toFixed(6)));
  const [whole = '', fraction] = text.split('.');
  const digits = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction ? digits + '.' + fraction : digits;
}

export function exact(kind: Kind, raw: MaybeNum): string {
  if (raw === null) return 'not recorded';
  return grouped(raw) + (WHOLE[kind] ?? '');
}

function small(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(Math.abs(value) < 1 ? 3 : 2)));
}

export function readable(kind: Kind, raw: MaybeNum): string {
  if (raw === null) return NOT_RECORDED;
  if (kind === 'plain') return String(raw);
  if (kind === 'amount') return grouped(raw);
  const value = Number(raw), size = Math.abs(value);
  if (kind === 'count' && size < EXACT_COUNTS) return grouped(raw);
  const steps = STEPS[kind];
  let k = 0;
  for (let step = STEP; k + 1 < steps.length && size >= step; step *= STEP) ++k;
  const space = kind === 'count' ? '' : NARROW;
  return (k === 0 ? small(value) : (value / STEP ** k).toFixed(2)) + space + steps[k];
}

// Growth has a plus, so that nobody has to guess which way round a difference is.
export function signed(kind: Kind, raw: MaybeNum): string {
  if (raw === null) return NOT_RECORDED;
  const value = Number(raw);
  return value > 0 ? '+' + readable(kind, raw) : readable(kind, raw).replace('-', '−');
}

export function percent(share: number): string {
  return Number.isFinite(share) ? (100 * share).toFixed(1) + '%' : '';
}

export function signedPercent(share: number): string {
  return (share > 0 ? '+' : '') + percent(share).replace('-', '−');
}

export function shareOf(part: MaybeNum, whole: MaybeNum): string {
  const all = num(whole);
  return all ? percent(num(part) / all) : '';
}

// Long names keep their beginning and their end, where they differ.
export function middle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.4);
  return text.slice(0, head) + '…' + text.slice(text.length - (most - 1 - head));
}

export function date(seconds: number): string {
  const at = new Date(seconds * 1000), two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
