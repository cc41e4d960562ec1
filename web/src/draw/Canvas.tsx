// A canvas that is as wide as its place and is drawn once a frame at most: when it is rendered, resized or asked to.
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDark } from '../theme';
import { canvasPen } from './canvas_pen';
import { readColors, type Colors } from './colors';
import type { Pen } from './pen';
import { svgPen } from './svg_pen';

export type Draw = (pen: Pen, width: number, height: number, colors: Colors) => void;

// The width of an element as the page lays it out; 0 before.
export function useWidth<Element extends HTMLElement>(): [{ current: Element | null }, number] {
  const place = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const read = () => setWidth(Math.floor(element.clientWidth));
    const watcher = new ResizeObserver(read);
    watcher.observe(element);
    read();
    return () => watcher.disconnect();
  }, []);
  return [place, width];
}

export function Canvas({ width, height, draw, redraw, ...rest }: {
  width: number;
  height: number;
  draw: Draw;
  redraw?: { current: () => void };      // set here: asks for a new picture without a new render
} & Omit<JSX.HTMLAttributes<HTMLCanvasElement>, 'width' | 'height'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useDark();
  const frame = useRef(0);
  const now = useRef<() => void>(() => {});
  now.current = () => {
    frame.current = 0;
    const pen = canvas.current && width > 0 ? canvasPen(canvas.current, width, height) : null;
    if (pen) draw(pen, width, height, readColors(dark));
  };
  const ask = () => { frame.current ||= requestAnimationFrame(() => now.current()); };
  if (redraw) redraw.current = ask;
  useLayoutEffect(ask);
  useEffect(() => () => { cancelAnimationFrame(frame.current); frame.current = 0; }, []);
  return <canvas {...rest} ref={canvas} style={{ width: width + 'px', height: height + 'px' }} />;
}

// The same picture as a file.
export function pictureOf(draw: Draw, width: number, height: number, dark: boolean): { svg: string; width: number; height: number } {
  const colors = readColors(dark);
  const pen = svgPen(width, height, colors.back);
  draw(pen, width, height, colors);
  return { svg: pen.finish(), width, height };
}
