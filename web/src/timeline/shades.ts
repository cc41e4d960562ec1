// Colours of bars: one for each kind of op, told by the last part of its name, paler where a bar is only partly busy.
import { inkOn } from '../draw/colors';
import { seriesColor } from '../theme';
import type { TimelineAnswer } from './types';

const LEVELS = 6;
const COLORS = 12;

// MatMul of layer_3/MatMul_12: what the same op is called elsewhere too.
export function kindOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/', name.length - 2) + 1);
  return last.replace(/[._:]?\d+$/, '') || last;
}

export function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function mix(color: string, ground: string, share: number): string {
  const part = (at: number) => {
    const value = parseInt(ground.slice(at, at + 2), 16) * (1 - share) + parseInt(color.slice(at, at + 2), 16) * share;
    return Math.round(value).toString(16).padStart(2, '0');
  };
  return '#' + part(1) + part(3) + part(5);
}

// The kinds of a step, those it spends most time in first: they get colours of their own.
export function rankKinds(answer: TimelineAnswer): string[] {
  const time = new Map<string, number>(), kinds = answer.names.map(kindOf);
  for (const { bars } of answer.lanes) {
    for (let k = 0; k < bars.name.length; ++k) {
      const kind = kinds[bars.name[k]!] ?? '';
      time.set(kind, (time.get(kind) ?? 0) + bars.busy[k]!);
    }
  }
  return [...time].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([kind]) => kind);
}

export interface Shade { fill: string; ink: string }

// The shades of all kinds on one ground (#rrggbb), mixed once.
export class Shades {
  private readonly table: Shade[][];
  private readonly known = new Map<string, number>();      // of names
  private readonly first: Map<string, number>;             // of the foremost kinds

  constructor(dark: boolean, ground: string, kinds: string[] = []) {
    this.first = new Map(kinds.slice(0, COLORS).map((kind, index) => [kind, index]));
    this.table = Array.from({ length: COLORS }, (_, index) => Array.from({ length: LEVELS + 1 }, (_unused, level) => {
      const fill = mix(seriesColor(index, dark), ground, 0.12 + (0.88 * level) / LEVELS);
      return { fill, ink: inkOn(fill) };
    }));
  }

  // `share` of 1 is the full colour, 0 the palest.
  of(name: string, share: number): Shade {
    let index = this.known.get(name);
    if (index === undefined) {
      const kind = kindOf(name);
      this.known.set(name, index = this.first.get(kind) ?? hashOf(kind) % COLORS);
    }
    return this.table[index]![Math.round(Math.min(1, Math.max(0, share)) * LEVELS)]!;
  }
}
