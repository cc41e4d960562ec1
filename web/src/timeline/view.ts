// The part of time that is in sight: zooming, moving, and what to ask the server for.
import { clamp, type Range } from '../draw/scale';

export const FINEST = 0.01;      // microseconds in sight at least
const MARGIN = 0.5;              // asked for beyond each edge, in widths of the window: moving shows no gaps

// Within [0, span], as wide as before where that is possible.
export function fit(view: Range, span: number): Range {
  const wide = clamp(view.to - view.from, Math.min(FINEST, span), span);
  const from = clamp(view.from, 0, span - wide);
  return { from, to: from + wide };
}

// `factor` times as wide; `at` stays where it is.
export function zoomAt(view: Range, at: number, factor: number, span: number): Range {
  const wide = clamp((view.to - view.from) * factor, Math.min(FINEST, span), span);
  const share = (at - view.from) / (view.to - view.from || 1);
  const from = at - share * wide;
  return fit({ from, to: from + wide }, span);
}

export function moveBy(view: Range, micros: number, span: number): Range {
  return fit({ from: view.from + micros, to: view.to + micros }, span);
}

// A window in which something is seen: the same width where it can be made out at it, closer otherwise.
export function reveal(view: Range, start: number, length: number, pixels: number, span: number): Range {
  const wide = view.to - view.from;
  const seen = (length / wide) * pixels;
  if (seen >= 6 && seen <= pixels && start >= view.from && start + length <= view.to) return view;
  const next = seen >= 6 && seen <= pixels * 0.9 ? wide : clamp(length * 12, FINEST, span);
  const middle = start + length / 2;
  return fit({ from: middle - next / 2, to: middle + next / 2 }, span);
}

export interface Loaded { from: number; to: number; pixels: number }

export function covers(loaded: Range, view: Range): boolean {
  const slack = (view.to - view.from) * 1e-6;
  return loaded.from <= view.from + slack && loaded.to >= view.to - slack;
}

// Whether what is there is too short, too coarse, or much finer than can be seen.
export function isStale(loaded: Loaded | null, view: Range, pixels: number): boolean {
  if (!loaded || !covers(loaded, view)) return true;
  const have = (loaded.to - loaded.from) / loaded.pixels, need = (view.to - view.from) / pixels;
  return have > need * 1.01 || have < need / 6;
}

// The window to ask for, with a margin, and the pixels that go with it.
export function wanted(view: Range, pixels: number, span: number): Loaded {
  const wide = view.to - view.from;
  const from = Math.max(0, view.from - MARGIN * wide), to = Math.min(span, view.to + MARGIN * wide);
  return { from, to, pixels: Math.max(1, Math.ceil((pixels * (to - from)) / (wide || 1))) };
}
