// How wide a letter is, about: names are cut to fit before they are drawn, in canvases and in files alike.
import { FONT } from './pen';

const SAMPLE = 'abcdefghijklmnopqrstuvwxyzABDELMNS_/0123456789';
let known = 0;

// Of 11 pixel letters.
export function letterWidth(): number {
  if (known) return known;
  const context = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
  if (!context) return 6.4;
  context.font = `11px ${FONT}`;
  return known = context.measureText(SAMPLE).width / SAMPLE.length;
}
