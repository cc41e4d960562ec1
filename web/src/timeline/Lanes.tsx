// The lanes: a canvas that stays in place while what is behind it scrolls, with pointers and keys on it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Canvas, type Draw } from '../draw/Canvas';
import { clamp, type Range } from '../draw/scale';
import { useDark, cssColor } from '../theme';
import { drawLanes, type Scene } from './draw_lanes';
import { listen } from './gestures';
import { BarHint } from './BarHint';
import { keyAction, type KeyTarget } from './keys';
import { barAt, layout, placedAt, RULER } from './layout';
import { rankKinds, Shades } from './shades';
import type { BarRef, TimelineAnswer } from './types';
import { useRedraw, type Sight } from './use_timeline';
import { zoomAt } from './view';

export interface LanesProps {
  sight: Sight;
  whole: TimelineAnswer;
  width: number;
  folded: ReadonlySet<string>;
  hit: ((name: string) => boolean) | null;
  measure: Range | null;
  arrows: boolean;
  selected: (answer: TimelineAnswer) => BarRef | null;
  onSelect: (ref: BarRef | null, answer: TimelineAnswer) => void;
  onFold: (key: string) => void;
  onMeasure: (range: Range | null) => void;
  keys: KeyTarget;
  scene: { current: ((width: number, height: number) => { draw: Draw; height: number }) | null };      // for saving the picture
}

const MOST_HEIGHT = 620;

export function Lanes(props: LanesProps) {
  const { sight, whole, width, folded, hit } = props;
  const dark = useDark();
  const redraw = useRedraw(sight);
  const scroller = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<{ ref: BarRef; answer: TimelineAnswer; x: number; y: number } | null>(null);
  const { placed, height } = useMemo(() => layout(whole, folded), [whole, folded]);
  const shades = useMemo(() => new Shades(dark, cssColor('--card'), rankKinds(whole)), [dark, whole]);
  const hitsOf = useMemo(() => {
    const known = new WeakMap<TimelineAnswer, boolean[]>();
    return (answer: TimelineAnswer): boolean[] | null => {
      if (!hit) return null;
      if (!known.has(answer)) known.set(answer, answer.names.map(hit));
      return known.get(answer)!;
    };
  }, [hit]);
  const tall = Math.min(MOST_HEIGHT, height + RULER);

  const sceneAt = (scroll: number): Scene => {
    const answer = sight.answer ?? whole;
    return {
      answer, view: sight.view, placed, scroll, shades, hits: hitsOf(answer), selected: props.selected(answer),
      hover: hover && hover.answer === answer ? hover.ref : null, measure: props.measure, cursor: sight.cursor, arrows: props.arrows,
    };
  };
  const draw: Draw = (pen, wide, high, colors) => drawLanes(pen, sceneAt(scroller.current?.scrollTop ?? 0), wide, high, colors);
  props.scene.current = (_, high) => ({ draw: (pen, wide, all, colors) => drawLanes(pen, { ...sceneAt(0), cursor: null, hover: null }, wide, all, colors), height: Math.max(high, height + RULER) });

  // Pointers outlive renders: they find the newest of everything here.
  const find = (x: number, y: number): { ref: BarRef; answer: TimelineAnswer } | null => {
    const answer = sight.answer ?? whole;
    const below = y - RULER + (scroller.current?.scrollTop ?? 0);
    const where = y < RULER ? null : placedAt(placed, below);
    if (!where || where.lane < 0) return null;
    const micros = (sight.view.to - sight.view.from) / width;
    const bar = barAt(answer.lanes[where.lane]!, where, below, sight.view.from + x * micros, micros * 1.5);
    return bar < 0 ? null : { ref: { lane: where.lane, bar }, answer };
  };
  const act = useRef({ pick: (_x: number, _y: number) => {}, open: (_x: number, _y: number) => {}, hover: (_x: number | null, _y: number) => {}, measure: props.onMeasure });
  act.current = {
    measure: props.onMeasure,
    pick: (x, y) => {
      const found = find(x, y);
      const where = placedAt(placed, y - RULER + (scroller.current?.scrollTop ?? 0));
      if (!found && where && y >= RULER && y - RULER + scroller.current!.scrollTop < where.body + (where.kind === 'process' ? where.height : 0)) props.onFold(where.key);
      else props.onSelect(found?.ref ?? null, found?.answer ?? whole);
    },
    open: (x, y) => {
      const found = find(x, y);
      if (found) props.keys.zoomTo();
      else sight.set(zoomAt(sight.view, sight.view.from + (x / width) * (sight.view.to - sight.view.from), 0.5, sight.span));
    },
    hover: (x, y) => {
      sight.point(x === null ? null : sight.view.from + (x / width) * (sight.view.to - sight.view.from));
      const found = x === null ? null : find(x, y);
      setHover(found && x !== null ? { ...found, x, y } : null);
    },
  };
  useEffect(() => listen(surface.current!, {
    view: () => sight.view, span: () => sight.span, width: () => sight.pixels, setView: (view) => { setHover(null); sight.set(view); },
    scrollBy: (pixels) => { if (scroller.current) scroller.current.scrollTop += pixels; },
    pick: (x, y) => act.current.pick(x, y), open: (x, y) => act.current.open(x, y), hover: (x, y) => act.current.hover(x, y), measure: (range) => act.current.measure(range),
  }), [sight]);

  // What is selected by key or search is brought into sight.
  const answer = sight.answer ?? whole;
  const chosen = props.selected(answer);
  const lane = chosen ? placed.find((one) => one.lane === chosen.lane) : undefined;
  useEffect(() => {
    const box = scroller.current;
    if (box && lane) box.scrollTop = clamp(box.scrollTop, lane.y + lane.height - (tall - RULER), lane.y);
  }, [lane?.key, chosen?.bar]);

  return (
    <div class="tl-scroll" ref={scroller} style={{ height: tall + 'px' }} onScroll={() => redraw.current()} role="application" tabIndex={0}
         aria-label="Timeline. A and D or left and right move, W and S zoom, up and down change the lane, brackets go from bar to bar, F zooms to the selected bar, 0 shows all. A table of what is in sight is below."
         onKeyDown={(event) => keyAction(event, sight, props.keys)}>
      <div class="tl-space" style={{ height: height + RULER + 'px' }}>
        <div class="tl-surface tl-pan" ref={surface}>
          <Canvas width={width} height={tall} draw={draw} redraw={redraw} aria-hidden="true" />
          {hover && <BarHint answer={hover.answer} bar={hover.ref} x={hover.x} y={hover.y} width={width} height={tall} />}
        </div>
      </div>
    </div>
  );
}
