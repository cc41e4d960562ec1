// Colours of frames. The same name has the same colour wherever it is: what a forward pass built and what its gradient
// repeats. Of comparisons, orange grew and blue shrank: told apart by people of any colour vision.

const HUES = [214, 30, 152, 342, 262, 190, 48, 96, 12, 232, 170, 300];

function hash(text: string): number {
  let sum = 7;
  for (let k = 0; k < text.length; ++k) sum = (Math.imul(sum, 31) + text.charCodeAt(k)) | 0;
  return Math.abs(Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >> 7);
}

export function frameColor(label: string, dark: boolean, faded = false): string {
  const sum = hash(label.replace(/_\d+$/, '')), hue = HUES[sum % HUES.length]!, turn = (sum >> 8) % 9 - 4;
  const saturation = faded ? 6 : dark ? 34 : 62;
  return `hsl(${hue} ${saturation}% ${(dark ? 29 : 79) + turn}%)`;
}

// growth: -1 (gone) to 1 (twice as much or more).
export function differenceColor(growth: number, dark: boolean, faded = false): string {
  const strength = Math.min(1, Math.abs(growth)), hue = growth > 0 ? 28 : 214;
  if (faded || strength < 0.005) return dark ? 'hsl(215 8% 30%)' : 'hsl(215 12% 90%)';
  const saturation = 30 + 60 * strength ** 0.5;
  const light = dark ? 28 + 12 * strength ** 0.5 : 90 - 28 * strength ** 0.5;
  return `hsl(${hue} ${saturation.toFixed(0)}% ${light.toFixed(0)}%)`;
}

export function frameInk(dark: boolean): string { return dark ? '#f4f6fa' : '#17202c'; }
