// How much of the allocator's free memory lies in pieces, on the time axis of the chart above. Captures alone have it.
import { Canvas, useWidth, type Draw } from '../draw/Canvas';
import { linear, roundStep, ticks, type Range } from '../draw/scale';
import { percent } from '../format';
import { fragmentation } from './figures';
import type { LayersAnswer } from './types';

const HEIGHT = 64;

// Stretches of time in which a share is known: [from, to, share], each until the next.
export function stretches(times: number[], shares: (number | null)[], until: number): [number, number, number][] {
  const found: [number, number, number][] = [];
  shares.forEach((share, k) => { if (share !== null) found.push([times[k]!, times[k + 1] ?? until, share]); });
  return found;
}

export function Fragmentation({ answer, window }: { answer: LayersAnswer; window: Range }) {
  const [place, width] = useWidth<HTMLDivElement>();
  const most = fragmentation(answer.fragmentation);
  const draw: Draw = (pen, wide, tall, colors) => {
    const left = wide < 480 ? 52 : 66, right = wide - 12;
    const top = Math.min(1, Math.max(1e-4, (most ?? 0) * 1.2)), step = roundStep(top, 2);
    const x = linear(window, left, right), y = linear({ from: 0, to: top }, tall - 4, 6);
    const digits = Math.max(0, Math.ceil(-Math.log10(100 * step) - 1e-9));
    for (const share of ticks({ from: 0, to: top }, 2)) {
      pen.line([left, y.at(share), right, y.at(share)], { color: colors.line });
      pen.text(left - 6, y.at(share) + 3.5, `${(100 * share).toFixed(digits)}%`, { color: colors.soft, align: 'right' });
    }
    pen.clip(left, 0, right - left, tall, () => {
      for (const [from, to, share] of stretches(answer.times, answer.fragmentation ?? [], answer.to)) {
        pen.rect(x.at(from), y.at(share), Math.max(1, x.at(to) - x.at(from)), y.at(0) - y.at(share), colors.meter);
      }
    });
  };
  return (
    <figure class="fragmentation">
      <figcaption class="soft small">Fragmentation of the allocator’s free memory</figcaption>
      <div ref={place}><Canvas width={width} height={HEIGHT} draw={draw} role="img" aria-label={most === null ? 'Fragmentation: not recorded' : `Fragmentation, at most ${percent(most)}`} /></div>
    </figure>
  );
}
