// A flame graph, the root on top: as wide as its share of the chosen figure. A click zooms, Escape and the path above
// zoom out. Frames under a pixel are not drawn; zooming in shows them.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { percent } from '../format';
import { useDark } from '../theme';
import type { FlameGraph } from '../tree/model';
import { differenceColor, frameColor } from './colors';
import { Crumbs } from './Crumbs';
import { type Frame, layout } from './layout';
import { FlameTip, type TipAt } from './FlameTip';

export const FRAME_HEIGHT = 21;
const TEXT_PIXELS = 30, LETTER_PIXELS = 6.6;

export interface FlameProps {
  flame: FlameGraph;
  label: string;                           // for screen readers
  say: (total: number) => string;          // a figure, exactly
  sayDifference?: (difference: number) => string;
  chosen?: number;
  crumbs?: boolean;
  matches?: RegExp | null;                 // a filter: others fade
  onZoom: (row: number) => void;
  onChoose?: (row: number) => void;
}

export function colorOf(flame: FlameGraph, frame: Frame, dark: boolean, faded: boolean): string {
  if (flame.growths) return differenceColor(frame.above ? 0 : flame.growths[frame.index] ?? 0, dark, faded);
  return frameColor(frame.label, dark, faded);
}

// Where little fits, the end of a name says more than its beginning.
export function frameText(label: string, pixels: number): string {
  if (pixels < TEXT_PIXELS) return '';
  return pixels > label.length * LETTER_PIXELS ? label : label.slice(label.lastIndexOf('/', label.length - 2) + 1);
}

export function Flame({ flame, label, say, sayDifference, chosen = -1, crumbs = true, matches, onZoom, onChoose }: FlameProps) {
  const host = useRef<HTMLDivElement>(null), dark = useDark();
  const [width, setWidth] = useState(0), [tip, setTip] = useState<TipAt | null>(null), [focus, setFocus] = useState(-1);
  useEffect(() => {
    const watcher = new ResizeObserver(() => setWidth(host.current?.clientWidth ?? 0));
    watcher.observe(host.current!);
    return () => watcher.disconnect();
  }, []);
  const path = (flame.above ?? []).filter((one) => one.row !== flame.rows[0]);
  const laid = useMemo(() => layout(flame, width), [flame, width]);
  const current = focus >= 0 ? focus : chosen < 0 ? -1 : laid.frames.findIndex((frame) => frame.row === chosen);

  const over = (event: PointerEvent) => {
    const index = Number((event.target as HTMLElement).closest<HTMLElement>('.frame')?.dataset.k ?? -1);
    setTip(index < 0 ? null : { frame: laid.frames[index]!, x: event.clientX, y: event.clientY });
  };
  const pick = (frame: Frame) => {
    const root = laid.frames.find((one) => !one.above);
    const parent = path[path.length - 1];
    onZoom(frame === root && parent ? parent.row : frame.row);
    onChoose?.(frame.row);
    setTip(null);
    setFocus(-1);
  };
  const move = (event: KeyboardEvent) => {
    const at = laid.frames[current < 0 ? laid.frames.findIndex((frame) => !frame.above) : current];
    if (!at) return;
    if (event.key === 'Enter') return void (event.preventDefault(), pick(at));
    if (event.key === 'Escape') return void (setTip(null), setFocus(-1), onZoom(path[0]?.row ?? flame.rows[0] ?? 0));
    const next = neighbour(laid.frames, at, event.key);
    if (!next) return;
    event.preventDefault();
    setFocus(laid.frames.indexOf(next));
    onChoose?.(next.row);
    const box = host.current!.querySelector(`[data-k="${laid.frames.indexOf(next)}"]`)?.getBoundingClientRect();
    if (box) setTip({ frame: next, x: box.left, y: box.bottom - 14 });
  };
  const empty = !(Number(flame.total) > 0);
  return (
    <div class="flame-box">
      {crumbs && <Crumbs path={[...path, { row: flame.rows[0] ?? 0, label: flame.labels[0] ?? '', name: flame.labels[0] ?? '' }]} onPick={onZoom} />}
      <div class="flame" ref={host} tabIndex={0} role="application" aria-label={label + ': arrow keys move, Enter zooms, Escape zooms out'}
           style={{ height: empty ? 'auto' : laid.levels * FRAME_HEIGHT + 2 + 'px' }} onKeyDown={move}
           onPointerMove={over} onPointerLeave={() => setTip(null)} onBlur={() => setTip(null)}
           onClick={(event) => { const k = (event.target as HTMLElement).closest<HTMLElement>('.frame')?.dataset.k; if (k !== undefined) pick(laid.frames[Number(k)]!); }}>
        {empty ? <p class="soft">Nothing of this figure was recorded here.</p> : laid.frames.map((frame, k) => {
          const faded = Boolean(matches) && !matches!.test(frame.label), text = frameText(frame.label, frame.width * width);
          return (
            <div key={k} data-k={k} data-row={frame.row} data-v={frame.above ? undefined : frame.total}
                 class={'frame' + (text ? '' : ' thin') + (frame.above ? ' above' : '') + (k === current ? ' chosen' : '')}
                 style={{ left: frame.left * 100 + '%', width: frame.width * 100 + '%', top: frame.level * FRAME_HEIGHT + 'px', background: colorOf(flame, frame, dark, faded) }}>
              {text}
            </div>
          );
        })}
      </div>
      {tip && <FlameTip tip={tip} flame={flame} say={say} sayDifference={sayDifference} share={percent(tip.frame.total / Number(flame.total))} />}
    </div>
  );
}

function neighbour(frames: Frame[], at: Frame, key: string): Frame | undefined {
  const inside = (inner: Frame, outer: Frame) => inner.left >= outer.left - 1e-9 && inner.left < outer.left + outer.width;
  const level = (n: number) => frames.filter((frame) => frame.level === n);
  if (key === 'ArrowUp') return level(at.level - 1).find((frame) => inside(at, frame));
  if (key === 'ArrowDown') return level(at.level + 1).find((frame) => inside(frame, at));
  if (key === 'ArrowRight') return level(at.level).find((frame) => frame.left > at.left);
  if (key === 'ArrowLeft') return level(at.level).filter((frame) => frame.left < at.left).pop();
  return undefined;
}
