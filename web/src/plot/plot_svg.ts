// Curves as a picture to save.
import { readable } from '../format';
import { seriesColor } from '../theme';
import type { PlotData } from './Plot';
import { document as svgDocument, escape } from './svg';

const WIDTH = 1000, HEIGHT = 360, LEFT = 90, RIGHT = 20, TOP = 20, BOTTOM = 40;

// Round numbers, about five of them.
export function ticks(most: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough)!;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, k) => k * step);
}

export function plotSvg(data: PlotData, title: string, dark: boolean): { svg: string; width: number; height: number } {
  const ink = dark ? '#a9b5c4' : '#566273', grid = dark ? '#2b3440' : '#e0e4ea';
  const values = data.lines.flatMap((line) => line.values.map((v) => (v === null ? 0 : Number(v))));
  const most = values.reduce((a, b) => Math.max(a, b), 0) || 1, first = data.xs[0] ?? 0, last = data.xs[data.xs.length - 1] ?? 1;
  const x = (v: number) => LEFT + (last > first ? (v - first) / (last - first) : 0.5) * (WIDTH - LEFT - RIGHT);
  const y = (v: number) => HEIGHT - BOTTOM - v / (most * 1.06) * (HEIGHT - TOP - BOTTOM);
  const text = (at: number, down: number, words: string, anchor: string) =>
    `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" font-size="12" fill="${ink}" text-anchor="${anchor}">${escape(words)}</text>`;
  const parts = [`<title>${escape(title)}</title>`];
  for (const tick of ticks(most)) {
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" stroke="${grid}"/>`, text(LEFT - 8, y(tick) + 4, readable(data.unit, tick), 'end'));
  }
  if (data.xNames) data.xs.forEach((at, k) => { if (data.xs.length <= 12 || k % Math.ceil(data.xs.length / 12) === 0) parts.push(text(x(at), HEIGHT - 16, data.xNames![k]!, 'middle')); });
  else for (const tick of ticks(last - first)) parts.push(text(x(first + tick), HEIGHT - 16, readable(data.xUnit, first + tick), 'middle'));
  data.lines.forEach((line, k) => {
    let path = '', pen = false, before = 0;
    line.values.forEach((raw, i) => {
      if (raw === null) return void (pen = false);
      const at = x(data.xs[i]!).toFixed(1), down = y(Number(raw));
      path += !pen ? `M${at} ${down.toFixed(1)}` : (line.stepped ? `L${at} ${before.toFixed(1)}` : '') + `L${at} ${down.toFixed(1)}`;
      pen = true;
      before = down;
    });
    const color = line.color ?? seriesColor(k, dark);
    parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="1.6"/>`);
    if (data.lines.length > 1) parts.push(`<rect x="${LEFT + 10 + 150 * k}" y="4" width="10" height="10" fill="${color}"/>`, text(LEFT + 25 + 150 * k, 13, line.title, 'start'));
  });
  for (const mark of data.marks ?? []) {
    parts.push(`<line x1="${x(mark.x).toFixed(1)}" x2="${x(mark.x).toFixed(1)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#b5500a" stroke-dasharray="5 4"/>`, text(x(mark.x) + 5, TOP + 12, mark.title, 'start'));
  }
  return { svg: svgDocument(WIDTH, HEIGHT, dark, parts.join('')), width: WIDTH, height: HEIGHT };
}
