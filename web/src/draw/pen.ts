// What pictures are drawn with: a few strokes that a canvas and an SVG file both know, so that what is downloaded is what is seen.
// Colours are CSS colours. Text is plain text: it is never read as markup.

export interface Stroke {
  color: string;
  width?: number;
  dash?: number[];
}

export interface Words {
  color: string;
  size?: number;
  align?: 'left' | 'center' | 'right';
  bold?: boolean;
  // Written over lines and areas: a halo of this colour keeps it readable.
  halo?: string;
}

// Points are x, y, x, y, ...
export interface Pen {
  rect(x: number, y: number, width: number, height: number, color: string): void;
  area(points: ArrayLike<number>, color: string): void;
  // Filled with thin slanted lines: what has no name.
  hatch(points: ArrayLike<number>, color: string, ground: string): void;
  line(points: ArrayLike<number>, stroke: Stroke): void;
  text(x: number, y: number, words: string, look: Words): void;
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
}

export const FONT = 'system-ui, sans-serif';
