// What is in sight, shared by all that draws it. It changes with every frame of a drag, so it lives outside of rendering:
// canvases are asked to draw again, and the address follows when the hand rests.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fetchJson } from '../api';
import type { Range } from '../draw/scale';
import { setLinks, useLink } from '../link';
import { Store } from './store';
import type { TimelineAnswer } from './types';
import { rangeOf } from './marks';
import { fit } from './view';

const REST = 200;      // milliseconds

export type Redraw = { current: () => void };

const round = (value: number): number => Number(value.toPrecision(12));
const keyOf = (view: Range | null): string => (view ? `${view.from}:${view.to}` : '');

export class Sight {
  cursor: number | null = null;
  private readonly canvases = new Set<Redraw>();
  private now: Range | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private width = 0;
  private told = '';       // what the address was told last

  constructor(readonly store: Store, private readonly rested: (view: Range | null) => void) {}

  get whole(): TimelineAnswer | null { return this.store.whole; }
  get span(): number { return this.store.whole?.span ?? 1; }
  get pixels(): number { return this.width; }
  get view(): Range { return this.now ? fit(this.now, this.span) : { from: 0, to: this.span }; }
  get answer(): TimelineAnswer | null { return this.store.answerFor(this.view); }

  // From the address: nothing goes back to it.
  place(view: Range | null, width: number): void {
    this.width = width;
    // An echo of what was told must not undo a move that was made since.
    if (keyOf(view) !== this.told) {
      clearTimeout(this.timer);
      this.now = view;
      this.told = keyOf(view);
    }
    this.store.show(this.now && this.whole ? this.view : this.now, width);
    this.redraw();
  }

  set(view: Range): void {
    const next = fit(view, this.span);
    this.now = next.to - next.from >= this.span ? null : next;
    this.store.show(this.view, this.width);
    this.redraw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const rest = this.now && { from: round(this.now.from), to: round(this.now.to) };
      this.told = keyOf(rest);
      this.rested(rest);
    }, REST);
  }

  point(at: number | null): void {
    if (at === this.cursor) return;
    this.cursor = at;
    this.redraw();
  }

  redraw(): void { for (const canvas of this.canvases) canvas.current(); }

  draws(canvas: Redraw): () => void {
    this.canvases.add(canvas);
    return () => { this.canvases.delete(canvas); };
  }

  stop(): void {
    clearTimeout(this.timer);
    this.store.stop();
  }
}

export function useSight(run: string, step: string, width: number): { sight: Sight; settled: Range } {
  const [, tick] = useState(0);
  const [from] = useLink('from');
  const [to] = useLink('to');
  const sight = useMemo(() => {
    const store: Store = new Store(
      (first, last, pixels, signal) => fetchJson<TimelineAnswer>('api/timeline', { run, step, from: first, to: last, pixels }, signal, false),
      () => { made.redraw(); tick((count) => count + 1); });
    const made: Sight = new Sight(store, (view) => setLinks({ from: view?.from, to: view?.to }));
    return made;
  }, [run, step]);
  useEffect(() => () => sight.stop(), [sight]);
  useEffect(() => { if (width > 0) sight.place(rangeOf(from, to), width); }, [sight, from, to, width]);
  return { sight, settled: sight.view };
}

// A canvas that is drawn again whenever what is in sight changes.
export function useRedraw(sight: Sight): Redraw {
  const redraw = useRef<() => void>(() => {});
  useEffect(() => sight.draws(redraw), [sight]);
  return redraw;
}
