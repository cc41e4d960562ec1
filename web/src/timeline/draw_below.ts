// Draws what lies around the lanes: the whole step in small, and memory on the same time axis.
import type { Colors } from '../draw/colors';
import { tickLabel } from '../draw/label';
import type { Pen } from '../draw/pen';
import { indexAt, linear, roundStep, ticks, type Range } from '../draw/scale';
import { stairs } from '../memory/stack';
import { seriesColor } from '../theme';
import type { TimelineAnswer } from './types';

// How busy each of `columns` equal stretches of the step is: time in bars by time in all lanes, 0 to 1.
export function density(answer: TimelineAnswer, columns: number): Float64Array {
  const filled = new Float64Array(columns);
  const wide = answer.span / columns || 1;
  let lanes = 0;
  for (const { bars } of answer.lanes) {
    if (bars.start.length) ++lanes;
    for (let k = 0; k < bars.start.length; ++k) {
      if (bars.row[k] !== 0) continue;      // those below are parts of it
      const start = bars.start[k]!, length = bars.length[k]!, share = length > 0 ? bars.busy[k]! / length : 0;
      const last = Math.min(columns - 1, Math.floor((start + length) / wide));
      for (let c = Math.max(0, Math.floor(start / wide)); c <= last; ++c)
        filled[c]! += Math.max(0, Math.min(start + length, (c + 1) * wide) - Math.max(start, c * wide)) * share;
    }
  }
  return filled.map((time) => Math.min(1, time / (wide * Math.max(1, lanes))));
}

export function drawWhole(pen: Pen, answer: TimelineAnswer, busy: Float64Array, view: Range, width: number, height: number, colors: Colors): void {
  const x = linear({ from: 0, to: answer.span }, 0, width), wide = width / busy.length;
  for (let c = 0; c < busy.length; ++c) pen.rect(c * wide, height - 2 - busy[c]! * (height - 4), Math.max(1, wide), busy[c]! * (height - 4), colors.meter);
  pen.line([0, height - 1.5, width, height - 1.5], { color: colors.line });
  const [a, b] = [x.at(view.from), Math.max(x.at(view.from) + 2, x.at(view.to))];
  pen.rect(a, 0, b - a, height, colors.veil);
  pen.line([a, 0.5, b, 0.5, b, height - 0.5, a, height - 0.5, a, 0.5], { color: colors.accent, width: 1.5 });
}

export function mostIn(curve: { times: number[]; bytes: number[] }, view: Range): number {
  let most = 0;
  for (let k = Math.max(0, indexAt(curve.times, view.from)); k < curve.times.length && curve.times[k]! <= view.to; ++k) most = Math.max(most, curve.bytes[k]!);
  return most;
}

export function drawMemory(pen: Pen, answer: TimelineAnswer, view: Range, cursor: number | null, width: number, height: number, dark: boolean, colors: Colors): void {
  const x = linear(view, 0, width);
  const most = Math.max(1, ...answer.memory.map((curve) => mostIn(curve, view))) * 1.1;
  const y = linear({ from: 0, to: most }, height - 2, 6);
  for (const value of ticks({ from: 0, to: most }, 3)) {
    const at = Math.round(y.at(value)) - 0.5;
    pen.line([0, at, width, at], { color: colors.line });
  }
  answer.memory.forEach((curve, k) => {
    const points = stairs(curve.times, curve.bytes, answer.to, x, y);
    pen.line(points, { color: seriesColor(k, dark), width: 1.75, dash: k % 3 === 1 ? [6, 3] : k % 3 === 2 ? [2, 2] : undefined });
  });
  const step = roundStep(most, 3);
  for (const value of ticks({ from: 0, to: most }, 3)) {
    if (value > 0) pen.text(4, Math.round(y.at(value)) - 4, tickLabel('bytes', value, step, most), { color: colors.soft, halo: colors.back });
  }
  if (cursor !== null) pen.line([x.at(cursor), 0, x.at(cursor), height], { color: colors.soft, dash: [3, 3] });
}
