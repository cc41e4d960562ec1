// Memory of each device on the time axis of the lanes.
import { useEffect, useRef } from 'preact/hooks';
import { Canvas, type Draw } from '../draw/Canvas';
import { readable } from '../format';
import { shortDevice } from '../memory/names';
import { seriesColor, useDark } from '../theme';
import { drawMemory, mostIn } from './draw_below';
import { listen } from './gestures';
import type { TimelineAnswer } from './types';
import { useRedraw, type Sight } from './use_timeline';

const HEIGHT = 110;

export function MemoryStrip({ sight, answer, width }: { sight: Sight; answer: TimelineAnswer; width: number }) {
  const dark = useDark();
  const redraw = useRedraw(sight);
  const place = useRef<HTMLDivElement>(null);
  const draw: Draw = (pen, wide, tall, colors) => drawMemory(pen, sight.answer ?? answer, sight.view, sight.cursor, wide, tall, dark, colors);
  useEffect(() => listen(place.current!, {
    view: () => sight.view, span: () => sight.span, width: () => sight.pixels, setView: (view) => sight.set(view),
    hover: (x) => sight.point(x === null ? null : sight.view.from + (x / sight.pixels) * (sight.view.to - sight.view.from)),
  }), [sight]);
  if (!answer.memory.length) return <p class="soft small">Memory over time is not recorded for this step.</p>;
  return (
    <>
      <div ref={place} class="tl-pan">
        <Canvas width={width} height={HEIGHT} draw={draw} redraw={redraw} role="img" aria-label={`Memory: ${answer.memory.map((curve) => `${shortDevice(curve.device)} at most ${readable('bytes', mostIn(curve, sight.view))}`).join(', ')}`} />
      </div>
      <p class="tl-legend small">
        {answer.memory.map((curve, k) => (
          <span title={curve.device}><i class={`tl-stroke dash${k % 3}`} style={{ borderColor: seriesColor(k, dark) }} />{shortDevice(curve.device)} {curve.allocator ?? ''} <span class="soft">at most {readable('bytes', mostIn(curve, sight.view))} in sight</span></span>
        ))}
      </p>
    </>
  );
}
