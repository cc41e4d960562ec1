// Memory over time, to look at, to zoom into and to pick a moment from: by pointer or by keys.
import { useMemo, useRef, useState } from 'preact/hooks';
import { Canvas, useWidth, type Draw } from '../draw/Canvas';
import { momentLabel } from '../draw/label';
import { clamp, type Range } from '../draw/scale';
import { readable } from '../format';
import { useDark } from '../theme';
import { drawStack, frameOf, type StackPicture } from './draw_stack';
import type { ColorBook } from './names';
import { StackHint } from './StackHint';
import { edgesOf, indexIn, layerAt, nextChange, stacked, windowOf, zoomed } from './stack';
import type { LayersAnswer } from './types';

const HEIGHT = 340;
const DRAG_FROM = 5;      // pixels; less is a click

export interface StackProps {
  answer: LayersAnswer;
  book: ColorBook;
  window: Range;                                    // what is to be seen; the answer may still be that of another
  moment: number | null;
  shown: string;
  onWindow: (window: Range | null) => void;
  onMoment: (at: number | null, settled: boolean) => void;
  onHover: (at: number | null) => void;
}

export function usePicture({ answer, book, window, moment, shown }: Pick<StackProps, 'answer' | 'book' | 'window' | 'moment' | 'shown'>): StackPicture {
  const dark = useDark();
  const parts = useMemo(() => {
    const layers = stacked(answer.layers);
    return { layers, edges: edgesOf(layers, answer.times.length), colors: book.colors(layers, dark) };
  }, [answer, book, dark]);
  return { answer, ...parts, window, shown, moment, cursor: null, brush: null };
}

interface Drag { pixel: number; at: number; moved: boolean }

export function StackChart(props: StackProps) {
  const { answer, window, moment, onWindow, onMoment, onHover } = props;
  const [place, width] = useWidth<HTMLDivElement>();
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const drag = useRef<Drag | null>(null);
  const dragged = useRef(false);                    // the last press was a drag: the click after it is none
  const before = useRef<number | null>(null);       // the moment before a click that becomes a double click
  const picture = usePicture(props), all = { from: answer.begin, to: answer.span };
  const frame = frameOf(picture, width || 600, HEIGHT);
  const timeAt = (x: number) => clamp(frame.x.back(x), window.from, window.to);
  picture.cursor = pointer ? timeAt(pointer.x) : null;
  picture.brush = pointer && drag.current?.moved ? { from: drag.current.at, to: timeAt(pointer.x) } : null;
  const draw: Draw = (pen, wide, tall, colors) => drawStack(pen, picture, wide, tall, colors);

  const at = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const spot = at(event);
    drag.current = { pixel: spot.x, at: timeAt(spot.x), moved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const spot = at(event);
    if (drag.current && Math.abs(spot.x - drag.current.pixel) >= DRAG_FROM) drag.current.moved = true;
    setPointer(spot);
    onHover(timeAt(spot.x));
  };
  const up = (event: PointerEvent) => {
    const started = drag.current;
    drag.current = null;
    if (!started) return;
    if (started.moved) onWindow(windowOf(started.at, timeAt(at(event).x), all) ?? window);
    dragged.current = started.moved;
    setPointer(event.pointerType === 'mouse' ? at(event) : null);
  };
  const click = (event: MouseEvent) => {
    if (dragged.current || event.detail > 1) return;
    before.current = moment;
    onMoment(timeAt(event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left), true);
  };
  const leave = () => {
    if (drag.current) return;
    setPointer(null);
    onHover(null);
  };

  const keys = (event: KeyboardEvent) => {
    const now = moment ?? answer.peak?.micros ?? window.from;
    const inside = clamp(now, window.from, window.to);
    const step = event.shiftKey ? 10 : 1;
    const zoom = (factor: number) => onWindow(zoomed(window, inside, factor, all));
    const actions: Record<string, () => void> = {
      ArrowLeft: () => onMoment(clamp(nextChange(answer.times, inside, -step), window.from, window.to), false),
      ArrowRight: () => onMoment(clamp(nextChange(answer.times, inside, step), window.from, window.to), false),
      Home: () => onMoment(window.from, false),
      End: () => onMoment(window.to, false),
      '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
      '0': () => onWindow(null),
      p: () => onMoment(null, true),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const now = moment ?? answer.peak?.micros ?? 0;
  const index = indexIn(answer, now);
  const hover = pointer ? timeAt(pointer.x) : null;
  const hoverIndex = hover === null ? -1 : indexIn(answer, hover);
  return (
    <div class="stack-chart" ref={place} tabIndex={0} role="slider" aria-label="Moment looked at. Arrow keys move it, plus and minus zoom, 0 shows all, P goes to the peak."
         aria-valuemin={window.from} aria-valuemax={window.to} aria-valuenow={clamp(now, window.from, window.to)}
         aria-valuetext={`${momentLabel(now, window.to - window.from)}: ${index < 0 ? 'outside of what is shown' : readable('bytes', answer.total[index] ?? null)}`}
         onKeyDown={keys} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerLeave={leave} onClick={click}
         onPointerCancel={() => { drag.current = null; setPointer(null); }}
         onDblClick={() => { onMoment(before.current, true); onWindow(null); }}>
      <Canvas width={width} height={HEIGHT} draw={draw} aria-hidden="true" />
      {pointer && hover !== null && (
        <StackHint answer={answer} picture={picture} index={hoverIndex} at={hover} x={pointer.x} width={width} brush={picture.brush}
                   layer={layerAt(picture.edges, hoverIndex, frame.y.back(pointer.y))} />
      )}
    </div>
  );
}
