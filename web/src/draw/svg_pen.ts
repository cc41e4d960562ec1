// Strokes as the text of an SVG file.

import { FONT, type Pen } from './pen';

export interface SvgPen extends Pen {
  finish(): string;
}

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// Also without the control characters that XML has no place for.
export function escapeXml(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd').replace(/[&<>"]/g, (mark) => MARKS[mark]!);
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

function path(points: ArrayLike<number>): string {
  let text = '';
  for (let i = 0; i + 1 < points.length; i += 2) text += `${i ? 'L' : 'M'}${round(points[i]!)} ${round(points[i + 1]!)}`;
  return text;
}

export function svgPen(width: number, height: number, ground: string): SvgPen {
  const parts: string[] = [];
  let marks = 0;
  const attribute = (value: string): string => escapeXml(value);
  const pen: SvgPen = {
    rect(x, y, wide, tall, color) {
      parts.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(tall)}" fill="${attribute(color)}"/>`);
    },
    area(points, color) {
      parts.push(`<path d="${path(points)}Z" fill="${attribute(color)}"/>`);
    },
    hatch(points, color, below) {
      const id = `hatch${++marks}`;
      parts.push(
        `<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse"><rect width="7" height="7" fill="${attribute(below)}"/>` +
          `<path d="M0 7L7 0" stroke="${attribute(color)}" stroke-width="1.2"/></pattern><path d="${path(points)}Z" fill="url(#${id})"/>`,
      );
    },
    line(points, stroke) {
      const dash = stroke.dash ? ` stroke-dasharray="${stroke.dash.join(' ')}"` : '';
      parts.push(`<path d="${path(points)}" fill="none" stroke="${attribute(stroke.color)}" stroke-width="${stroke.width ?? 1}"${dash}/>`);
    },
    text(x, y, words, look) {
      const anchor = { left: 'start', center: 'middle', right: 'end' }[look.align ?? 'left'];
      const halo = look.halo ? ` stroke="${attribute(look.halo)}" stroke-width="3" paint-order="stroke"` : '';
      parts.push(
        `<text x="${round(x)}" y="${round(y)}" font-size="${look.size ?? 11}" text-anchor="${anchor}" fill="${attribute(look.color)}"` +
          `${look.bold ? ' font-weight="600"' : ''}${halo}>${escapeXml(words)}</text>`,
      );
    },
    clip(x, y, wide, tall, draw) {
      const id = `clip${++marks}`;
      parts.push(`<clipPath id="${id}"><rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(tall)}"/></clipPath><g clip-path="url(#${id})">`);
      draw();
      parts.push('</g>');
    },
    finish() {
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">` +
        `<rect width="${width}" height="${height}" fill="${attribute(ground)}"/>${parts.join('')}</svg>\n`
      );
    },
  };
  return pen;
}
