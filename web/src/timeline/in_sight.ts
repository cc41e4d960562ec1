// What is in sight as a list, the longest first.
import type { Range } from '../draw/scale';
import { barData, type BarData, type BarRef, type TimelineAnswer } from './types';

export interface SightRow extends BarData { ref: BarRef }

export function barsInSight(answer: TimelineAnswer, view: Range, most: number): { rows: SightRow[]; count: number } {
  const found: [number, BarRef][] = [];
  answer.lanes.forEach(({ bars }, lane) => {
    for (let bar = 0; bar < bars.start.length; ++bar) {
      const end = bars.start[bar]! + bars.length[bar]!;
      if (end >= view.from && bars.start[bar]! <= view.to) found.push([bars.length[bar]!, { lane, bar }]);
    }
  });
  found.sort((a, b) => b[0] - a[0]);
  return { rows: found.slice(0, most).map(([, ref]) => ({ ref, ...barData(answer, ref) })), count: found.length };
}
