// Draws lanes with their bars, arrows between them, and the ruler above.
import type { Colors } from '../draw/colors';
import { tickLabel } from '../draw/label';
import { letterWidth } from '../draw/letters';
import type { Pen } from '../draw/pen';
import { clamp, linear, roundStep, shorten, ticks, type Range, type Scale } from '../draw/scale';
import { ROW, RULER, type Placed } from './layout';
import type { Shades } from './shades';
import type { BarRef, TimelineAnswer } from './types';

const LEAST_LETTERS = 6;     // shorter pieces of names say nothing
const ARROW_ROOM = 20;       // pixels for each arrow at least: a carpet of them says nothing

export interface Scene {
  answer: TimelineAnswer;
  view: Range;
  placed: Placed[];
  scroll: number;
  shades: Shades;
  hits: boolean[] | null;      // per name, of a search
  selected: BarRef | null;
  hover: BarRef | null;
  measure: Range | null;
  cursor: number | null;
  arrows: boolean;
}

export function drawLanes(pen: Pen, scene: Scene, width: number, height: number, colors: Colors): void {
  const x = linear(scene.view, 0, width);
  pen.clip(0, RULER, width, height - RULER, () => {
    drawGrid(pen, scene, x, width, height, colors);
    const shown = scene.placed.filter((one) => one.y - scene.scroll + RULER < height && one.y + one.height > scene.scroll);
    for (const one of shown) if (one.kind === 'lane') drawBars(pen, scene, one, x, width, colors);
    if (scene.arrows) drawArrows(pen, scene, x, width, colors);
    for (const one of shown) drawHeading(pen, one, one.y - scene.scroll + RULER, width, colors);
    for (const [ref, color] of [[scene.hover, colors.text], [scene.selected, colors.accent]] as const) if (ref) drawOutline(pen, scene, ref, x, color);
    drawMeasure(pen, scene, x, height, colors);
  });
  drawRuler(pen, scene, x, width, colors);
}

function gridOf(view: Range, width: number): number[] { return ticks(view, Math.max(2, Math.floor(width / 110))); }

function drawGrid(pen: Pen, scene: Scene, x: Scale, width: number, height: number, colors: Colors): void {
  for (const value of gridOf(scene.view, width)) {
    const at = Math.round(x.at(value)) + 0.5;
    pen.line([at, RULER, at, height], { color: colors.line });
  }
}

function drawRuler(pen: Pen, scene: Scene, x: Scale, width: number, colors: Colors): void {
  pen.rect(0, 0, width, RULER, colors.back);
  const { view } = scene;
  const step = roundStep(view.to - view.from, Math.max(2, Math.floor(width / 110)));
  for (const value of gridOf(view, width)) {
    const at = Math.round(x.at(value)) + 0.5;
    pen.line([at, RULER - 6, at, RULER], { color: colors.soft });
    const align = at < 30 ? 'left' : at > width - 30 ? 'right' : 'center';
    pen.text(align === 'left' ? Math.max(2, at) : align === 'right' ? Math.min(width - 2, at) : at, RULER - 10, tickLabel('time', value, step, view.to), { color: colors.soft, align });
  }
  pen.line([0, RULER - 0.5, width, RULER - 0.5], { color: colors.soft });
  if (scene.measure && scene.measure.from !== scene.measure.to) drawLength(pen, scene.measure, x, width, colors);
}

function drawLength(pen: Pen, measure: Range, x: Scale, width: number, colors: Colors): void {
  const length = Math.abs(measure.to - measure.from);
  const words = tickLabel('time', length, Math.max(length / 1000, 1e-3), length), half = words.length * 4 + 6;
  const middle = clamp((x.at(measure.from) + x.at(measure.to)) / 2, half, width - half);
  pen.rect(middle - half, 2, half * 2, RULER - 4, colors.accent);
  pen.text(middle, RULER - 8, words, { color: colors.back, size: 12, bold: true, align: 'center' });
}

function drawHeading(pen: Pen, one: Placed, top: number, width: number, colors: Colors): void {
  const sign = one.folded ? '▸' : '▾';
  if (one.kind === 'process') {
    pen.rect(0, top, width, one.height - 2, colors.line);
    pen.text(6, top + 15, `${sign} ${shorten(one.title, Math.floor(width / 7))}`, { color: colors.text, size: 12, bold: true });
  } else {
    pen.text(6, top + 12, `${sign} ${shorten(one.title, Math.floor(width / letterWidth()))}`, { color: colors.soft, halo: colors.back });
  }
}

function drawBars(pen: Pen, scene: Scene, one: Placed, x: Scale, width: number, colors: Colors): void {
  const { bars } = scene.answer.lanes[one.lane]!, { answer: { names }, hits } = scene;
  const body = one.body - scene.scroll + RULER, letter = letterWidth();
  for (let k = 0; k < bars.start.length; ++k) {
    const left = x.at(bars.start[k]!), right = x.at(bars.start[k]! + bars.length[k]!);
    if (right < 0 || left > width) continue;
    const begin = Math.max(-1, left), wide = Math.max(1, Math.min(width + 1, right) - begin);
    const name = names[bars.name[k]!] ?? '';
    const busy = bars.count[k]! > 1 && bars.length[k]! > 0 ? bars.busy[k]! / bars.length[k]! : 1;
    const hit = !hits || hits[bars.name[k]!];
    const shade = scene.shades.of(name, hit ? 0.35 + 0.65 * busy : 0);
    const top = body + (one.folded ? 0 : bars.row[k]! * ROW);
    // A seam between wide neighbours, none between those that are a few pixels wide.
    pen.rect(begin, top, wide > 4 ? wide - 0.75 : wide, one.rowHeight - 1, shade.fill);
    if (hits && hit) pen.rect(begin, top + one.rowHeight - 3, wide, 2, colors.accent);
    if (wide < 20 || one.folded) continue;
    const words = bars.count[k]! > 1 ? `${bars.count[k]} × ${name}` : name;
    const letters = Math.floor((wide - 6) / letter);
    const last = name.slice(name.lastIndexOf('/') + 1);
    const shown = words.length <= letters ? words : last.length <= letters ? last : letters >= LEAST_LETTERS ? shorten(last, letters) : '';
    if (shown) pen.text(Math.max(0, begin) + 3, top + 13, shown, { color: shade.ink });
  }
}

// Where a bar is drawn: left, top, width, height; null while its lane is folded away.
export function boxOf(scene: Scene, ref: BarRef, x: Scale): [number, number, number, number] | null {
  const one = scene.placed.find((placed) => placed.lane === ref.lane);
  const bars = scene.answer.lanes[ref.lane]?.bars;
  if (!one || !bars || ref.bar >= bars.start.length) return null;
  const left = x.at(bars.start[ref.bar]!), right = x.at(bars.start[ref.bar]! + bars.length[ref.bar]!);
  const top = one.body - scene.scroll + RULER + (one.folded ? 0 : bars.row[ref.bar]! * ROW);
  return [left, top, Math.max(2, right - left), one.rowHeight - 1];
}

function drawOutline(pen: Pen, scene: Scene, ref: BarRef, x: Scale, color: string): void {
  const box = boxOf(scene, ref, x);
  if (!box) return;
  const [left, top, width, height] = box;
  pen.line([left, top, left + width, top, left + width, top + height, left, top + height, left, top], { color, width: 2 });
}

export const mostArrows = (width: number): number => Math.floor(width / ARROW_ROOM);

export function arrowsIn(answer: TimelineAnswer, view: Range): TimelineAnswer['arrows'] {
  return answer.arrows.filter(([, from, , to]) => Math.max(from, to) >= view.from && Math.min(from, to) <= view.to);
}

// Those that begin or end at a bar.
export function arrowsOf(answer: TimelineAnswer, arrows: TimelineAnswer['arrows'], ref: BarRef): TimelineAnswer['arrows'] {
  const lane = answer.lanes[ref.lane]!, row = lane.bars.row[ref.bar]!, start = lane.bars.start[ref.bar]!, end = start + lane.bars.length[ref.bar]!;
  const on = (id: number, at: number, of = row) => id === lane.id && of === row && at >= start && at <= end;
  return arrows.filter(([fromLane, from, toLane, to, fromRow, toRow]) => on(fromLane, from, fromRow) || on(toLane, to, toRow));
}

function drawArrows(pen: Pen, scene: Scene, x: Scale, width: number, colors: Colors): void {
  const laneOf = new Map<number, Placed>();
  const heightOf = (lane: number, row = 0) => {
    const one = laneOf.get(lane);
    return one && one.body - scene.scroll + RULER + one.rowHeight * ((one.folded ? 0 : row) + 0.5);
  };
  for (const one of scene.placed) if (one.lane >= 0) laneOf.set(scene.answer.lanes[one.lane]!.id, one);
  const all = arrowsIn(scene.answer, scene.view);
  // Too many to tell apart: those of the selected bar alone. Zooming in brings the others back.
  const shown = all.length <= mostArrows(width) ? all : scene.selected ? arrowsOf(scene.answer, all, scene.selected) : [];
  for (const [fromLane, from, toLane, to, fromRow, toRow] of shown) {
    const [y1, y2] = [heightOf(fromLane, fromRow), heightOf(toLane, toRow)];
    if (y1 === undefined || y2 === undefined) continue;
    const [x1, x2] = [x.at(from), x.at(to)], bend = Math.max(12, Math.abs(x2 - x1) / 2);
    const points: number[] = [];
    for (let i = 0; i <= 14; ++i) {
      const t = i / 14, s = 1 - t;
      points.push(s ** 3 * x1 + 3 * s * s * t * (x1 + bend) + 3 * s * t * t * (x2 - bend) + t ** 3 * x2, s ** 3 * y1 + 3 * s * s * t * y1 + 3 * s * t * t * y2 + t ** 3 * y2);
    }
    pen.line(points, { color: colors.back, width: 3 });
    pen.line(points, { color: colors.soft, width: 1.2 });
    pen.area([x2, y2, x2 - 7, y2 - 3.5, x2 - 7, y2 + 3.5], colors.soft);
  }
}

function drawMeasure(pen: Pen, scene: Scene, x: Scale, height: number, colors: Colors): void {
  if (scene.cursor !== null) {
    const at = Math.round(x.at(scene.cursor)) + 0.5;
    pen.line([at, RULER, at, height], { color: colors.soft, dash: [3, 3] });
  }
  if (!scene.measure) return;
  const [a, b] = [x.at(scene.measure.from), x.at(scene.measure.to)].sort((p, q) => p - q) as [number, number];
  pen.rect(a, RULER, b - a, height - RULER, colors.veil);
  for (const edge of [a, b]) pen.line([edge, RULER, edge, height], { color: colors.accent, width: 1.5 });
}
