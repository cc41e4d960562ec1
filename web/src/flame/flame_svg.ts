// A flame graph as a picture to save.
import { document as svgDocument, escape } from '../plot/svg';
import type { FlameGraph } from '../tree/model';
import { frameInk } from './colors';
import { colorOf, FRAME_HEIGHT, frameText } from './Flame';
import { layout } from './layout';

export function flameSvg(flame: FlameGraph, dark: boolean, say: (total: number) => string): { svg: string; width: number; height: number } {
  const width = 1200, { frames, levels } = layout(flame, width), height = levels * FRAME_HEIGHT + 2;
  const parts = frames.map((frame) => {
    const x = frame.left * width, wide = frame.width * width, text = frameText(frame.label, wide);
    const most = Math.floor((wide - 8) / 6.6), short = text.length > most ? text.slice(0, Math.max(0, most - 1)) + '…' : text;
    return `<g><title>${escape(frame.label + (frame.above ? '' : ': ' + say(frame.total)))}</title>` +
      `<rect x="${x.toFixed(2)}" y="${frame.level * FRAME_HEIGHT}" width="${Math.max(0.5, wide - 1).toFixed(2)}" height="${FRAME_HEIGHT - 1}" rx="2" fill="${colorOf(flame, frame, dark, false)}"/>` +
      (short ? `<text x="${(x + 4).toFixed(2)}" y="${frame.level * FRAME_HEIGHT + 14}" font-size="12" fill="${frameInk(dark)}">${escape(short)}</text>` : '') + '</g>';
  });
  return { svg: svgDocument(width, height, dark, parts.join('')), width, height };
}
