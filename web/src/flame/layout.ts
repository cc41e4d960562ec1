// Where the frames of a flame graph lie: the root on top, each row as wide as its share. Plain numbers, so that the page
// and saved pictures draw the same.
import type { FlameData } from '../types';

export interface Frame {
  index: number;    // in the arrays of the graph; -1: a row above the root
  row: number;
  label: string;
  name: string;
  total: number;
  left: number;     // share of the width
  width: number;
  level: number;
  above: boolean;
}

const MOST_FRAMES = 4000, MOST_ABOVE = 8;

export function layout(flame: FlameData, pixels: number): { frames: Frame[]; levels: number; small: number } {
  const upper = (flame.above ?? []).filter((one) => one.row !== flame.rows[0]).slice(-MOST_ABOVE);
  const frames: Frame[] = upper.map((one, level) => (
    { index: -1, row: one.row, label: one.label, name: one.name, total: NaN, left: 0, width: 1, level, above: true }));
  const sums = childSums(flame), least = 0.8 / Math.max(200, pixels), base = upper.length;
  // The line from the root to the present row: where its next child begins, and how wide one unit is there.
  const at: number[] = [0], unit: number[] = [flame.rows.length ? 1 / Math.max(Number(flame.totals[0]), 1e-300) : 0];
  let levels = base, small = 0, cut = Infinity;
  for (let i = 0; i < flame.rows.length; ++i) {
    const depth = flame.depths[i]!, total = Number(flame.totals[i]);
    if (depth > cut) continue;  // below a frame that is too narrow
    cut = Infinity;
    const width = total * unit[depth]!, left = at[depth]!;
    at[depth] = left + width;
    if (width < least || frames.length >= MOST_FRAMES) {
      ++small;
      cut = depth;
      continue;
    }
    at[depth + 1] = left;
    // Where children sum to more than the row (time of overlapping work), they share its width.
    unit[depth + 1] = width / Math.max(total, sums[i]!, 1e-300);
    frames.push({ index: i, row: flame.rows[i] ?? -1, label: flame.labels[i]!, name: '', total, left, width, level: base + depth, above: false });
    levels = Math.max(levels, base + depth + 1);
  }
  return { frames, levels, small };
}

// The same graph with the widest of siblings first, as the eye looks for it.
export function largestFirst<Flame extends FlameData>(flame: Flame): Flame {
  const count = flame.rows.length, end = new Int32Array(count), line: number[] = [];
  for (let i = 0; i <= count; ++i) {
    while (line.length && (i === count || flame.depths[line[line.length - 1]!]! >= flame.depths[i]!)) end[line.pop()!] = i;
    line.push(i);
  }
  const order: number[] = [], stack = count ? [0] : [];
  while (stack.length) {
    const i = stack.pop()!, below: number[] = [];
    order.push(i);
    for (let k = i + 1; k < end[i]!; k = end[k]!) below.push(k);
    below.sort((a, b) => Number(flame.totals[a]) - Number(flame.totals[b]) || b - a);  // the stack turns it round
    stack.push(...below);
  }
  const pick = <T>(list: T[]): T[] => order.map((i) => list[i]!);
  return { ...flame, rows: pick(flame.rows), depths: pick(flame.depths), labels: pick(flame.labels), totals: pick(flame.totals), left_out: pick(flame.left_out) };
}

function childSums(flame: FlameData): Float64Array {
  const sums = Float64Array.from(flame.left_out, Number), line: number[] = [];
  for (let i = 0; i < flame.rows.length; ++i) {
    const depth = flame.depths[i]!;
    line[depth] = i;
    if (depth > 0) sums[line[depth - 1]!]! += Number(flame.totals[i]);
  }
  return sums;
}
