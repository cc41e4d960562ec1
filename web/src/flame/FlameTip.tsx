// What is under the pointer, or under the arrow keys: the full name and the exact figure.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameGraph } from '../tree/model';
import type { Frame } from './layout';

export interface TipAt { frame: Frame; x: number; y: number }

export function FlameTip({ tip, flame, say, sayDifference, share }: {
  tip: TipAt; flame: FlameGraph; say: (total: number) => string; sayDifference?: (difference: number) => string; share: string;
}) {
  const box = useRef<HTMLDivElement>(null), { frame } = tip;
  useLayoutEffect(() => {
    const { offsetWidth: wide, offsetHeight: high, style } = box.current!;
    style.left = Math.max(8, Math.min(tip.x + 14, innerWidth - wide - 8)) + 'px';
    style.top = (tip.y + 18 + high > innerHeight ? tip.y - high - 10 : tip.y + 18) + 'px';
  });
  const difference = flame.differences?.[frame.index];
  return (
    <div class="tip" ref={box} role="status">
      <b>{frame.name || frame.label}</b>
      {!frame.above && <div>{say(frame.total)} <span class="soft">{share} of what is shown</span></div>}
      {difference !== undefined && difference !== null && sayDifference && <div>{sayDifference(difference)}</div>}
    </div>
  );
}
