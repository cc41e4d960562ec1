// The figures above the chart, as words.
import { percent, readable } from '../format';
import { indexAt } from '../draw/scale';
import { NOT_ATTRIBUTED, type LayersAnswer } from './types';

export const EVIDENCE: Record<string, string> = {
  recorded: 'each allocation and release was recorded',
  measured: 'bytes in use as the allocator counted them; whose they are is not known',
  derived: 'sizes of outputs, and lifetimes from the graph: upper bounds',
};

// The largest share of what the allocator held that it could not hand out; null: not recorded.
export function fragmentation(raw: unknown): { words: string; note: string } | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'number') return { words: percent(raw), note: 'of the allocator’s free memory, at most' };
  if (typeof raw !== 'object') return null;
  const found = raw as { share?: unknown; bytes?: unknown; times?: unknown; shares?: unknown };
  const series = Array.isArray(found.shares) ? found.shares : Array.isArray(found.share) ? found.share : null;
  if (series) {
    const known = series.filter((value): value is number => typeof value === 'number');
    return known.length ? { words: percent(known.reduce((a, b) => Math.max(a, b), 0)), note: 'at most; the free memory is in pieces' } : null;
  }
  if (typeof found.share !== 'number') return null;
  return { words: percent(found.share), note: typeof found.bytes === 'number' ? readable('bytes', found.bytes) : '' };
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
