// The whole step in small, with the part in sight; a click or drag moves it.
import { useMemo, useRef } from 'preact/hooks';
import { Canvas, type Draw } from '../draw/Canvas';
import { density, drawWhole } from './draw_below';
import type { TimelineAnswer } from './types';
import { useRedraw, type Sight } from './use_timeline';

const HEIGHT = 34;

export function Whole({ sight, whole, width }: { sight: Sight; whole: TimelineAnswer; width: number }) {
  const redraw = useRedraw(sight);
  const pressed = useRef(false);
  const busy = useMemo(() => density(whole, Math.max(50, Math.floor(width / 2))), [whole, width]);
  const draw: Draw = (pen, wide, tall, colors) => drawWhole(pen, whole, busy, sight.view, wide, tall, colors);
  const go = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * whole.span, half = (sight.view.to - sight.view.from) / 2;
    sight.set({ from: at - half, to: at + half });
  };
  return (
    <Canvas class="tl-whole" width={width} height={HEIGHT} draw={draw} redraw={redraw} aria-hidden="true"
            onPointerDown={(event) => { pressed.current = true; event.currentTarget.setPointerCapture(event.pointerId); go(event); }}
            onPointerMove={(event) => { if (pressed.current) go(event); }}
            onPointerUp={() => { pressed.current = false; }} onPointerCancel={() => { pressed.current = false; }} />
  );
}
