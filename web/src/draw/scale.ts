// From values to pixels and back, and the round values that an axis names.

export interface Range {
  from: number;
  to: number;
}

// A range of values laid over a range of pixels.
export interface Scale {
  at(value: number): number;
  back(pixel: number): number;
}

export function linear(values: Range, start: number, end: number): Scale {
  const width = values.to - values.from || 1;
  const slope = (end - start) / width;
  return { at: (value) => start + (value - values.from) * slope, back: (pixel) => values.from + (pixel - start) / slope };
}

// The round step (1, 2 or 5 times a power of ten) that cuts `width` into at most `count` parts.
export function roundStep(width: number, count: number): number {
  if (!(width > 0) || count < 1) return 1;
  const raw = width / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const times = raw / power;
  return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

export function ticks(values: Range, count: number): number[] {
  const step = roundStep(values.to - values.from, count);
  const first = Math.ceil(values.from / step - 1e-9);
  const last = Math.floor(values.to / step + 1e-9);
  const found: number[] = [];
  for (let i = first; i <= last && found.length <= count + 2; ++i) found.push(i * step + 0);      // no minus zero
  return found;
}

// The last index whose time is not after `time`; -1 if all are.
export function indexAt(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

// A name's end in at most so many letters: the end tells names of one scope apart.
export function shorten(name: string, letters: number): string {
  if (name.length <= letters) return name;
  return letters < 3 ? '' : `…${name.slice(name.length - letters + 1)}`;
}
