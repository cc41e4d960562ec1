// The colours that pictures are drawn in: those of the style sheet, read when the theme changes.

import { cssColor } from '../theme';

export interface Colors {
  back: string;
  text: string;
  soft: string;
  line: string;
  accent: string;
  chosen: string;
  meter: string;
  bad: string;
  // See-through: what is being marked.
  veil: string;
}

export function readColors(dark: boolean): Colors {
  return {
    back: cssColor('--card'),
    text: cssColor('--ink'),
    soft: cssColor('--soft'),
    line: cssColor('--line'),
    accent: cssColor('--accent'),
    chosen: cssColor('--chosen'),
    meter: cssColor('--meter'),
    bad: cssColor('--bad'),
    veil: dark ? 'rgba(106, 164, 255, 0.22)' : 'rgba(37, 99, 201, 0.16)',
  };
}

// Black or white, whichever reads better on a colour written as #rrggbb.
export function inkOn(color: string): string {
  const part = (at: number): number => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.179 ? '#000000' : '#ffffff';
}
