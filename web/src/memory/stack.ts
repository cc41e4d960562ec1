// The arithmetic of layers that lie on one another. A value holds until the next time.

import { indexAt, type Range, type Scale } from '../draw/scale';
import { NOT_ATTRIBUTED, type Layer, type LayersAnswer } from './types';

// Layers in the order they are stacked: what has no name lies at the bottom, where its edge is straight.
export function stacked(layers: Layer[]): Layer[] {
  const unnamed = layers.filter((layer) => layer.name === NOT_ATTRIBUTED);
  return [...unnamed, ...layers.filter((layer) => layer.name !== NOT_ATTRIBUTED)];
}

// edges[k][i]: how high the top of layer k - 1 is at time i; edges[0] is the ground.
export function edgesOf(layers: Layer[], count: number): Float64Array[] {
  const edges = [new Float64Array(count)];
  for (const layer of layers) {
    const below = edges[edges.length - 1]!;
    edges.push(below.map((height, i) => height + Number(layer.bytes[i] ?? 0)));
  }
  return edges;
}

// The outline of what lies between two edges, in steps, up to `until`: x, y, x, y, ...
export function outline(times: ArrayLike<number>, low: ArrayLike<number>, high: ArrayLike<number>, until: number, x: Scale, y: Scale): number[] {
  const points = stairs(times, high, until, x, y);
  const back = stairs(times, low, until, x, y);
  for (let i = back.length - 2; i >= 0; i -= 2) points.push(back[i]!, back[i + 1]!);
  return points;
}

// A curve in steps, up to `until`.
export function stairs(times: ArrayLike<number>, values: ArrayLike<number>, until: number, x: Scale, y: Scale): number[] {
  const points: number[] = [];
  for (let i = 0; i < times.length; ++i) {
    const height = y.at(values[i]!);
    points.push(x.at(times[i]!), height, x.at(i + 1 < times.length ? times[i + 1]! : until), height);
  }
  return points;
}

// The layer that is drawn at a time and a height; -1 above all of them.
export function layerAt(edges: ArrayLike<number>[], index: number, bytes: number): number {
  if (index < 0 || bytes < 0) return -1;
  for (let k = 1; k < edges.length; ++k) if (bytes < edges[k]![index]!) return k - 1;
  return -1;
}

// How high the picture reaches: total, what was measured, and the capacity where it is not far above them.
export function heightOf(answer: LayersAnswer): number {
  let most = 0;
  for (const bytes of answer.total) most = Math.max(most, bytes);
  for (const bytes of answer.measured?.bytes ?? []) most = Math.max(most, bytes);
  if (answer.capacity !== null && answer.capacity <= most * 1.6) most = Math.max(most, answer.capacity);
  return most > 0 ? most * 1.08 : 1;
}

// The index of the time that a moment belongs to; -1 outside of what the answer covers.
export function indexIn(answer: LayersAnswer, at: number): number {
  return at < answer.from || at > answer.to ? -1 : indexAt(answer.times, at);
}

// The moment that the legend speaks of: the one looked at, else the peak, else the largest total in sight.
export function legendMoment(answer: LayersAnswer, wanted: number | null): number {
  for (const at of [wanted, answer.peak?.micros ?? null]) if (at !== null && indexIn(answer, at) >= 0) return at;
  let best = 0;
  answer.total.forEach((bytes, k) => { if (bytes > answer.total[best]!) best = k; });
  return answer.times[best] ?? answer.from;
}

// What each layer held at a moment, as the legend lists it.
export function valuesAt(answer: LayersAnswer, layers: Layer[], at: number): (number | null)[] {
  const index = indexIn(answer, at);
  return layers.map((layer) => (index < 0 ? null : (layer.bytes[index] ?? null)));
}

// The next time of a change before or after `at`; `at` itself where there is none.
export function nextChange(times: number[], at: number, by: number): number {
  const index = indexAt(times, at);
  if (by > 0) return times[Math.min(times.length - 1, index + by)] ?? at;
  const onIt = index >= 0 && times[index] === at;
  return times[Math.max(0, index + by + (onIt ? 0 : 1))] ?? at;
}

// A window of at least a thousandth of a microsecond within all there is; null: all of it.
export function windowOf(a: number, b: number, all: Range): Range | null {
  const from = Math.max(all.from, Math.min(a, b));
  const to = Math.min(all.to, Math.max(a, b));
  if (to - from < 1e-3) return null;
  return from <= all.from && to >= all.to ? null : { from, to };
}

// A window that is `factor` times as wide, with `at` staying where it is.
export function zoomed(window: Range, at: number, factor: number, all: Range): Range | null {
  const from = at - (at - window.from) * factor;
  return windowOf(from, from + (window.to - window.from) * factor, all);
}

// Steps to show side by side where there are too many: the first, the last, and some between, evenly in the list.
export function someSteps(steps: number[], most: number): number[] {
  if (steps.length <= most) return steps;
  const picked = Array.from({ length: most }, (_, i) => steps[Math.round((i * (steps.length - 1)) / (most - 1))]!);
  return [...new Set(picked)];
}

// The chart as a table: a row for each time.
export function layersSheet(answer: LayersAnswer): { heads: string[]; rows: (number | null)[][] } {
  return {
    heads: ['micros', 'total', ...answer.layers.map((layer) => layer.name)],
    rows: answer.times.map((time, i) => [time, answer.total[i] ?? null, ...answer.layers.map((layer) => layer.bytes[i] ?? null)]),
  };
}
