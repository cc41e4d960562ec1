// What keys do on the lanes.
import { moveBy, zoomAt } from './view';
import type { Sight } from './use_timeline';

export interface KeyTarget {
  step: (by: number) => void;        // to the next bar of the row
  lane: (by: number) => void;        // to the next row
  zoomTo: () => void;
  find: () => void;
  next: (by: number) => void;        // to the next hit of the search
  mark: () => void;                  // an end of what is measured
  clear: () => void;
}

export function keyAction(event: KeyboardEvent, sight: Sight, target: KeyTarget): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { view, span } = sight, wide = view.to - view.from;
  const middle = sight.cursor !== null && sight.cursor >= view.from && sight.cursor <= view.to ? sight.cursor : (view.from + view.to) / 2;
  const move = (share: number) => sight.set(moveBy(view, share * wide, span));
  const zoom = (factor: number) => sight.set(zoomAt(view, middle, factor, span));
  const actions: Record<string, () => void> = {
    a: () => move(-0.15), d: () => move(0.15), arrowleft: () => move(-0.15), arrowright: () => move(0.15),
    w: () => zoom(0.75), s: () => zoom(1 / 0.75), '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
    arrowup: () => target.lane(-1), arrowdown: () => target.lane(1), '[': () => target.step(-1), ']': () => target.step(1),
    f: target.zoomTo, '0': () => sight.set({ from: 0, to: span }), home: () => move(-1e12), end: () => move(1e12),
    '/': target.find, n: () => target.next(event.shiftKey ? -1 : 1), m: target.mark, escape: target.clear,
  };
  const action = actions[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
}
