// Where lanes lie: processes with their lanes below, each with a line for its name and a line for each of its rows.
// A folded lane is one thin line, a folded process is its heading alone.
import type { Lane, TimelineAnswer } from './types';

export const ROW = 18;
export const RULER = 24;
const PROCESS = 24;
const LABEL = 17;
const GAP = 6;
const FOLDED = 8;

export interface Placed {
  kind: 'process' | 'lane';
  key: string;               // what the address names when it is folded
  title: string;
  y: number;                 // of its heading
  height: number;            // with its rows
  lane: number;              // index in lanes; -1 of a process
  body: number;              // y of the first row
  rows: number;
  rowHeight: number;
  folded: boolean;
}

export function layout(answer: TimelineAnswer, folded: ReadonlySet<string>): { placed: Placed[]; height: number } {
  const processes = new Map<string, number[]>();
  answer.lanes.forEach((lane, index) => processes.set(lane.process, [...(processes.get(lane.process) ?? []), index]));
  const placed: Placed[] = [];
  let y = 0;
  for (const [process, lanes] of processes) {
    const key = 'p' + answer.lanes[lanes[0]!]!.id, closed = folded.has(key);
    placed.push({ kind: 'process', key, title: process, y, height: PROCESS, lane: -1, body: y, rows: 0, rowHeight: 0, folded: closed });
    y += PROCESS;
    if (closed) continue;
    for (const index of lanes) {
      const one = place(answer.lanes[index]!, index, y, folded);
      placed.push(one);
      y += one.height;
    }
  }
  return { placed, height: y };
}

function place(lane: Lane, index: number, y: number, folded: ReadonlySet<string>): Placed {
  const key = 'l' + lane.id, closed = folded.has(key);
  const rows = Math.max(1, lane.rows), rowHeight = closed ? FOLDED : ROW;
  const height = LABEL + (closed ? FOLDED : rows * ROW) + GAP;
  return { kind: 'lane', key, title: lane.name || 'ops', y, height, lane: index, body: y + LABEL, rows: closed ? 1 : rows, rowHeight, folded: closed };
}

export function placedAt(placed: Placed[], y: number): Placed | null {
  return placed.find((one) => y >= one.y && y < one.y + one.height) ?? null;
}

// The bar at a height and a time; of several the shortest, since it is the hardest to hit. `slack` is a pixel or two.
export function barAt(lane: Lane, where: Placed, y: number, at: number, slack: number): number {
  if (y < where.body) return -1;
  const row = where.folded ? -1 : Math.floor((y - where.body) / where.rowHeight);
  const { bars } = lane;
  let best = -1;
  for (let k = 0; k < bars.start.length; ++k) {
    if (row >= 0 && bars.row[k] !== row) continue;
    if (at < bars.start[k]! - slack || at > bars.start[k]! + bars.length[k]! + slack) continue;
    if (best < 0 || bars.length[k]! < bars.length[best]!) best = k;
  }
  return best;
}

// The bar of a lane's row that lies next after (by 1) or before (by -1) another; -1: none.
export function neighbour(lane: Lane, row: number, start: number, by: number): number {
  const { bars } = lane;
  let best = -1;
  for (let k = 0; k < bars.start.length; ++k) {
    if (bars.row[k] !== row || (bars.start[k]! - start) * by <= 0) continue;
    if (best < 0 || (bars.start[best]! - bars.start[k]!) * by > 0) best = k;
  }
  return best;
}

// The bar of a row that begins nearest to a time; -1: the row is empty.
export function nearest(lane: Lane, row: number, start: number): number {
  const { bars } = lane;
  let best = -1;
  for (let k = 0; k < bars.start.length; ++k) {
    if (bars.row[k] === row && (best < 0 || Math.abs(bars.start[k]! - start) < Math.abs(bars.start[best]! - start))) best = k;
  }
  return best;
}
