// What is selected, as the address has it: lane, row and start. A finer or coarser answer has another bar there.
import { nearest, neighbour, type Placed } from './layout';
import type { BarRef, Hit, TimelineAnswer } from './types';

export interface Spot { lane: number; row: number; start: number }

export function parseSpot(text: string): Spot | null {
  const parts = text.split(':').map(Number);
  if (text === '' || parts.length !== 3 || !parts.every(Number.isFinite)) return null;
  return { lane: parts[0]!, row: parts[1]!, start: parts[2]! };
}

export function formatSpot(spot: Spot | Hit): string {
  return `${spot.lane}:${spot.row}:${spot.start}`;
}

// The bar that holds the spot: the shortest one, where several do.
export function barOf(answer: TimelineAnswer, spot: Spot): BarRef | null {
  const lane = answer.lanes.findIndex((one) => one.id === spot.lane);
  if (lane < 0) return null;
  const { bars } = answer.lanes[lane]!, slack = 1e-6 + Math.abs(spot.start) * 1e-11;
  let best = -1;
  for (let k = 0; k < bars.start.length; ++k) {
    if (bars.row[k] !== spot.row || bars.start[k]! > spot.start + slack || bars.start[k]! + bars.length[k]! < spot.start - slack) continue;
    if (best < 0 || bars.start[k]! >= bars.start[best]!) best = k;
  }
  return best < 0 ? null : { lane, bar: best };
}

export function nextBar(answer: TimelineAnswer, from: BarRef, by: number): BarRef | null {
  const lane = answer.lanes[from.lane]!;
  const bar = neighbour(lane, lane.bars.row[from.bar]!, lane.bars.start[from.bar]!, by);
  return bar < 0 ? null : { lane: from.lane, bar };
}

// The nearest bar of the next row up or down that has one; from nowhere, of the first row.
export function nextRow(answer: TimelineAnswer, placed: Placed[], from: BarRef | null, at: number, by: number): BarRef | null {
  const rows: [number, number][] = [];
  for (const one of placed) if (one.kind === 'lane') for (let row = 0; row < Math.max(1, answer.lanes[one.lane]!.rows); ++row) rows.push([one.lane, row]);
  const bars = from ? answer.lanes[from.lane]!.bars : null;
  const now = from ? rows.findIndex(([lane, row]) => lane === from.lane && row === bars!.row[from.bar]) : by > 0 ? -1 : rows.length;
  const start = from ? bars!.start[from.bar]! : at;
  for (let k = now + by; k >= 0 && k < rows.length; k += by) {
    const [lane, row] = rows[k]!, bar = nearest(answer.lanes[lane]!, row, start);
    if (bar >= 0) return { lane, bar };
  }
  return null;
}
