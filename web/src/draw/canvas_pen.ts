// Strokes on a canvas.

import { FONT, type Pen, type Stroke, type Words } from './pen';

const HATCH = 7;

// Sizes the canvas for the screen's pixels and clears it; null where the browser gives no context.
export function canvasPen(canvas: HTMLCanvasElement, width: number, height: number, ratio = window.devicePixelRatio || 1): Pen | null {
  const context = canvas.getContext('2d');
  if (!context) return null;
  const [wide, tall] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== tall) canvas.height = tall;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return penOn(context);
}

function trace(context: CanvasRenderingContext2D, points: ArrayLike<number>): void {
  context.beginPath();
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (i === 0) context.moveTo(points[0]!, points[1]!);
    else context.lineTo(points[i]!, points[i + 1]!);
  }
}

function hatching(context: CanvasRenderingContext2D, color: string, ground: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = HATCH;
  const pen = tile.getContext('2d');
  if (!pen) return ground;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, HATCH, HATCH);
  pen.strokeStyle = color;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (const shift of [-HATCH, 0, HATCH]) {
    pen.moveTo(shift, HATCH);
    pen.lineTo(shift + HATCH, 0);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat') ?? ground;
}

function strokeWith(context: CanvasRenderingContext2D, points: ArrayLike<number>, stroke: Stroke): void {
  context.strokeStyle = stroke.color;
  context.lineWidth = stroke.width ?? 1;
  context.setLineDash(stroke.dash ?? []);
  context.lineJoin = 'round';
  trace(context, points);
  context.stroke();
  context.setLineDash([]);
}

function write(context: CanvasRenderingContext2D, x: number, y: number, words: string, look: Words): void {
  context.font = `${look.bold ? '600 ' : ''}${look.size ?? 11}px ${FONT}`;
  context.textAlign = look.align ?? 'left';
  context.textBaseline = 'alphabetic';
  if (look.halo) {
    context.strokeStyle = look.halo;
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeText(words, x, y);
  }
  context.fillStyle = look.color;
  context.fillText(words, x, y);
}

export function penOn(context: CanvasRenderingContext2D): Pen {
  return {
    rect(x, y, width, height, color) {
      context.fillStyle = color;
      context.fillRect(x, y, width, height);
    },
    area(points, color) {
      context.fillStyle = color;
      trace(context, points);
      context.fill();
    },
    hatch(points, color, ground) {
      context.fillStyle = hatching(context, color, ground);
      trace(context, points);
      context.fill();
    },
    line: (points, stroke) => strokeWith(context, points, stroke),
    text: (x, y, words, look) => write(context, x, y, words, look),
    clip(x, y, width, height, draw) {
      context.save();
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      draw();
      context.restore();
    },
  };
}
