// Draws memory over time in layers: areas, total, what was measured, capacity, peak, the moment looked at and the part being marked.

import { type Pen } from '../draw/pen';
import { linear, roundStep, ticks, type Range, type Scale } from '../draw/scale';
import type { Colors } from '../draw/colors';
import { tickLabel } from '../draw/label';
import { readable } from '../format';
import { heightOf, outline, stairs } from './stack';
import { NOT_ATTRIBUTED, type Layer, type LayersAnswer } from './types';

export interface StackPicture {
  answer: LayersAnswer;
  layers: Layer[];
  edges: Float64Array[];
  colors: string[];
  window: Range;
  height?: number;
  // Name of the layer that stands out; '' for none.
  shown: string;
  moment: number | null;
  cursor: number | null;
  brush: Range | null;
  small?: boolean;
}

export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
  x: Scale;
  y: Scale;
}

export function frameOf(picture: StackPicture, width: number, height: number): Frame {
  const left = picture.small || width < 480 ? 52 : 66;
  const [top, right, bottom] = [picture.small ? 8 : 16, width - 12, height - (picture.small ? 18 : 24)];
  const most = picture.height ?? heightOf(picture.answer);
  return { left, top, right, bottom, x: linear(picture.window, left, right), y: linear({ from: 0, to: most }, bottom, top) };
}

function drawAxes(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const most = frame.y.back(frame.top);
  const rows = picture.small ? 2 : 5;
  for (const value of ticks({ from: 0, to: most }, rows)) {
    const y = Math.round(frame.y.at(value)) + 0.5;
    pen.line([frame.left, y, frame.right, y], { color: colors.line });
    pen.text(frame.left - 6, y + 3.5, tickLabel('bytes', value, roundStep(most, rows), most), { color: colors.soft, align: 'right' });
  }
  const count = Math.max(2, Math.floor((frame.right - frame.left) / (picture.small ? 80 : 90)));
  const step = roundStep(picture.window.to - picture.window.from, count);
  for (const value of ticks(picture.window, count)) {
    const x = Math.round(frame.x.at(value)) + 0.5;
    pen.line([x, frame.bottom, x, frame.bottom + 4], { color: colors.soft });
    const align = x > frame.right - 24 ? 'right' : x < frame.left + 12 ? 'left' : 'center';
    pen.text(x, frame.bottom + 15, tickLabel('time', value, step, picture.window.to), { color: colors.soft, align });
  }
  pen.line([frame.left, frame.bottom + 0.5, frame.right, frame.bottom + 0.5], { color: colors.soft });
}

function drawLayers(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const { answer, edges, layers } = picture;
  layers.forEach((layer, k) => {
    const area = outline(answer.times, edges[k]!, edges[k + 1]!, answer.to, frame.x, frame.y);
    const faint = picture.shown !== '' && picture.shown !== layer.name;
    if (layer.name === NOT_ATTRIBUTED) pen.hatch(area, faint ? colors.line : colors.soft, colors.back);
    else pen.area(area, faint ? colors.line : picture.colors[k]!);
  });
  // A thin edge in the colour of the ground between layers: neighbours are told apart without their colours.
  for (let k = 1; k < edges.length - 1; ++k)
    pen.line(stairs(answer.times, edges[k]!, answer.to, frame.x, frame.y), { color: colors.back, width: 0.8 });
}

function drawCurves(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const { answer } = picture;
  pen.line(stairs(answer.times, answer.total, answer.to, frame.x, frame.y), { color: colors.text, width: picture.small ? 1 : 1.5 });
  if (answer.measured)
    pen.line(stairs(answer.measured.times, answer.measured.bytes, answer.to, frame.x, frame.y), { color: colors.accent, width: 1.5, dash: [5, 3] });
}

function drawCapacity(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const { capacity, peak } = picture.answer;
  if (capacity === null || picture.small) return;
  const y = frame.y.at(capacity);
  const words = `capacity ${readable('bytes', capacity)}`;
  if (y < frame.top) {
    // On the side that the peak's own words leave free.
    const late = peak !== null && frame.x.at(peak.micros) > (frame.left + frame.right) / 2;
    pen.text(late ? frame.left + 4 : frame.right, frame.top - 4, `${words} ↑`, { color: colors.bad, align: late ? 'left' : 'right' });
    return;
  }
  pen.line([frame.left, y, frame.right, y], { color: colors.bad, width: 1.5, dash: [8, 4] });
  pen.text(frame.right - 4, y - 4, words, { color: colors.bad, align: 'right', halo: colors.back });
}

function drawPeak(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const { peak } = picture.answer;
  if (!peak || peak.micros < picture.window.from || peak.micros > picture.window.to) return;
  const [x, y] = [frame.x.at(peak.micros), frame.y.at(peak.bytes)];
  pen.area([x, y - 1, x - 5, y - 9, x + 5, y - 9], colors.text);
  if (picture.small) return;
  const align = x > frame.right - 60 ? 'right' : x < frame.left + 60 ? 'left' : 'center';
  pen.text(x, y - 13, `peak ${readable('bytes', peak.bytes)}`, { color: colors.text, bold: true, align, halo: colors.back });
}

function drawMarks(pen: Pen, picture: StackPicture, frame: Frame, colors: Colors): void {
  const upright = (at: number, color: string, dash?: number[]): void => {
    const x = Math.round(frame.x.at(at)) + 0.5;
    pen.line([x, frame.top, x, frame.bottom], { color, width: 1.5, dash });
  };
  if (picture.brush) {
    const [a, b] = [frame.x.at(picture.brush.from), frame.x.at(picture.brush.to)];
    pen.rect(Math.min(a, b), frame.top, Math.abs(b - a), frame.bottom - frame.top, colors.veil);
    upright(picture.brush.from, colors.accent);
    upright(picture.brush.to, colors.accent);
  }
  if (picture.cursor !== null) upright(picture.cursor, colors.soft, [3, 3]);
  if (picture.moment !== null && picture.moment >= picture.window.from && picture.moment <= picture.window.to) {
    upright(picture.moment, colors.text);
    const x = frame.x.at(picture.moment);
    pen.area([x - 5, frame.bottom + 6, x + 5, frame.bottom + 6, x, frame.bottom], colors.text);
  }
}

export function drawStack(pen: Pen, picture: StackPicture, width: number, height: number, colors: Colors): void {
  const frame = frameOf(picture, width, height);
  drawAxes(pen, picture, frame, colors);
  pen.clip(frame.left, 0, frame.right - frame.left, frame.bottom, () => {
    drawLayers(pen, picture, frame, colors);
    drawCurves(pen, picture, frame, colors);
  });
  drawCapacity(pen, picture, frame, colors);
  drawPeak(pen, picture, frame, colors);
  drawMarks(pen, picture, frame, colors);
}
