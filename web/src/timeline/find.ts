// From hit to hit. The server gives the next hundred from a time on; what lies before is looked for in ever longer stretches.
import type { FindAnswer, Hit } from './types';

export type AskFind = (from: number) => Promise<FindAnswer>;

const MOST_ASKED = 24;

const after = (a: Hit, than: Hit): boolean => a.start > than.start || (a.start === than.start && (a.lane > than.lane || (a.lane === than.lane && a.row > than.row)));

// The hit after another one, or the first from `at` on; wraps to the first of all.
export async function nextHit(ask: AskFind, now: Hit | null, at: number): Promise<Hit | null> {
  const { found } = await ask(now ? now.start : at);
  const next = found.find((hit) => !now || after(hit, now));
  if (next) return next;
  return (await ask(0)).found[0] ?? null;
}

// The hit before another one, or the last before `at`; null where there is none.
export async function previousHit(ask: AskFind, now: Hit | null, at: number, span: number): Promise<Hit | null> {
  const limit = now ? now.start : at;
  const isBefore = (hit: Hit) => (now ? after(now, hit) : hit.start < limit);
  let asked = 0;
  for (let wide = span / 256; asked < MOST_ASKED; wide *= 4) {
    let from = Math.max(0, limit - wide), best: Hit | null = null;
    for (; asked < MOST_ASKED; ++asked) {
      const { found } = await ask(from);
      const before = found.filter(isBefore), last = before[before.length - 1];
      if (last) best = last;
      if (!last || before.length < found.length || last.start <= from) break;
      from = last.start;
    }
    if (best || limit - wide <= 0) return best;
  }
  return null;
}
