// The figures above the chart, as words.
import { indexAt } from '../draw/scale';
import { NOT_ATTRIBUTED, type LayersAnswer } from './types';

export const EVIDENCE: Record<string, string> = {
  recorded: 'each allocation and release was recorded',
  measured: 'bytes in use as the allocator counted them; whose they are is not known',
  derived: 'sizes of outputs, and lifetimes from the graph: upper bounds',
};

// The largest share of the free memory that was in pieces too small; null: not recorded.
export function fragmentation(shares: (number | null)[] | null): number | null {
  const known = (shares ?? []).filter((share): share is number => share !== null);
  return known.length ? known.reduce((a, b) => Math.max(a, b)) : null;
}

// What no tensor accounts for at the moment of the largest total in sight; null: nothing in sight.
export function unnamedAtPeak(answer: LayersAnswer): { bytes: number; total: number } | null {
  const layer = answer.layers.find((one) => one.name === NOT_ATTRIBUTED);
  if (!layer || !answer.peak) return null;
  const index = indexAt(answer.times, answer.peak.micros);
  const total = answer.total[index];
  if (index < 0 || total === undefined || total !== answer.peak.bytes) return null;
  return { bytes: layer.bytes[index] ?? 0, total };
}
