// Draws memory over time in layers: areas, total, what was measured, capacity, peak, the moment looked at and the part being marked.

import { type Pen } from '../draw/pen';
import { linear, ticks, type Range, type Scale } from '../draw/scale';
import { type Theme } from '../draw/theme';
import { formatBytes, formatTime } from '../format';
import { heightOf, outline, stairs } from './stack';
import { NOT_ATTRIBUTED, type Layer, type LayersAnswer } from './types';

export interface StackPicture {
  answer: LayersAnswer;
  layers: Layer[];
  edges: Float64Array[];
  colors: string[];
  window: Range;
  height?: number;
  /// Name of the layer that stands out; '' for none.
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

function drawAxes(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const most = frame.y.back(frame.top);
  for (const value of ticks({ from: 0, to: most }, picture.small ? 2 : 5)) {
    const y = Math.round(frame.y.at(value)) + 0.5;
    pen.line([frame.left, y, frame.right, y], { color: theme.grid });
    pen.text(frame.left - 6, y + 3.5, formatBytes(value), { color: theme.muted, align: 'right' });
  }
  const count = Math.max(2, Math.floor((frame.right - frame.left) / (picture.small ? 80 : 90)));
  for (const value of ticks(picture.window, count)) {
    const x = Math.round(frame.x.at(value)) + 0.5;
    pen.line([x, frame.bottom, x, frame.bottom + 4], { color: theme.muted });
    const align = x > frame.right - 24 ? 'right' : x < frame.left + 12 ? 'left' : 'center';
    pen.text(x, frame.bottom + 15, formatTime(value), { color: theme.muted, align });
  }
  pen.line([frame.left, frame.bottom + 0.5, frame.right, frame.bottom + 0.5], { color: theme.muted });
}

function drawLayers(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const { answer, edges, layers } = picture;
  layers.forEach((layer, k) => {
    const area = outline(answer.times, edges[k]!, edges[k + 1]!, answer.to, frame.x, frame.y);
    const faint = picture.shown !== '' && picture.shown !== layer.name;
    if (layer.name === NOT_ATTRIBUTED) pen.hatch(area, faint ? theme.grid : theme.muted, theme.panel);
    else pen.area(area, faint ? theme.grid : picture.colors[k]!);
  });
  // A thin edge in the colour of the ground between layers: neighbours are told apart without their colours.
  for (let k = 1; k < edges.length - 1; ++k)
    pen.line(stairs(answer.times, edges[k]!, answer.to, frame.x, frame.y), { color: theme.panel, width: 0.8 });
}

function drawCurves(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const { answer } = picture;
  pen.line(stairs(answer.times, answer.total, answer.to, frame.x, frame.y), { color: theme.text, width: picture.small ? 1 : 1.5 });
  if (answer.measured)
    pen.line(stairs(answer.measured.times, answer.measured.bytes, answer.to, frame.x, frame.y), { color: theme.accent, width: 1.5, dash: [5, 3] });
}

function drawCapacity(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const { capacity } = picture.answer;
  if (capacity === null || picture.small) return;
  const y = frame.y.at(capacity);
  const words = `capacity ${formatBytes(capacity)}`;
  if (y < frame.top) {
    pen.text(frame.right, frame.top - 4, `${words} ↑`, { color: theme.bad, align: 'right' });
    return;
  }
  pen.line([frame.left, y, frame.right, y], { color: theme.bad, width: 1.5, dash: [8, 4] });
  pen.text(frame.right - 4, y - 4, words, { color: theme.bad, align: 'right', halo: theme.panel });
}

function drawPeak(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const { peak } = picture.answer;
  if (!peak || peak.micros < picture.window.from || peak.micros > picture.window.to) return;
  const [x, y] = [frame.x.at(peak.micros), frame.y.at(peak.bytes)];
  pen.area([x, y - 1, x - 5, y - 9, x + 5, y - 9], theme.text);
  if (picture.small) return;
  const late = x > (frame.left + frame.right) / 2;
  pen.text(x + (late ? -9 : 9), y - 2, `peak ${formatBytes(peak.bytes)}`, { color: theme.text, bold: true, align: late ? 'right' : 'left', halo: theme.panel });
}

function drawMarks(pen: Pen, picture: StackPicture, frame: Frame, theme: Theme): void {
  const upright = (at: number, color: string, dash?: number[]): void => {
    const x = Math.round(frame.x.at(at)) + 0.5;
    pen.line([x, frame.top, x, frame.bottom], { color, width: 1.5, dash });
  };
  if (picture.brush) {
    const [a, b] = [frame.x.at(picture.brush.from), frame.x.at(picture.brush.to)];
    pen.rect(Math.min(a, b), frame.top, Math.abs(b - a), frame.bottom - frame.top, theme.shade);
    upright(picture.brush.from, theme.accent);
    upright(picture.brush.to, theme.accent);
  }
  if (picture.cursor !== null) upright(picture.cursor, theme.muted, [3, 3]);
  if (picture.moment !== null && picture.moment >= picture.window.from && picture.moment <= picture.window.to) {
    upright(picture.moment, theme.text);
    const x = frame.x.at(picture.moment);
    pen.area([x - 5, frame.bottom + 6, x + 5, frame.bottom + 6, x, frame.bottom], theme.text);
  }
}

export function drawStack(pen: Pen, picture: StackPicture, width: number, height: number, theme: Theme): void {
  const frame = frameOf(picture, width, height);
  drawAxes(pen, picture, frame, theme);
  pen.clip(frame.left, 0, frame.right - frame.left, frame.bottom, () => {
    drawLayers(pen, picture, frame, theme);
    drawCurves(pen, picture, frame, theme);
  });
  drawCapacity(pen, picture, frame, theme);
  drawPeak(pen, picture, frame, theme);
  drawMarks(pen, picture, frame, theme);
}
