// What is below the pointer: when, how much in all, and the layer there.
import { momentLabel } from '../draw/label';
import type { Range } from '../draw/scale';
import { middle, readable, shareOf } from '../format';
import { indexAt } from '../draw/scale';
import type { StackPicture } from './draw_stack';
import { layerLabel } from './names';
import type { LayersAnswer } from './types';

const WIDE = 240;

export function StackHint({ answer, picture, index, at, x, width, brush, layer }: {
  answer: LayersAnswer;
  picture: StackPicture;
  index: number;
  at: number;
  x: number;
  width: number;
  brush: Range | null;
  layer: number;
}) {
  const wide = picture.window.to - picture.window.from;
  const left = x + 16 + WIDE < width ? x + 16 : Math.max(0, x - WIDE - 16);
  const measured = answer.measured ? indexAt(answer.measured.times, at) : -1;
  const total = index < 0 ? null : (answer.total[index] ?? null);
  const bytes = index < 0 || layer < 0 ? null : (picture.layers[layer]?.bytes[index] ?? null);
  return (
    <div class="hint" style={{ left: left + 'px', width: Math.min(WIDE, width) + 'px' }} aria-hidden="true">
      <b>{momentLabel(at, wide)}</b>
      {brush && <span> · {momentLabel(Math.abs(brush.to - brush.from), Math.abs(brush.to - brush.from))} marked</span>}
      <div>total {readable('bytes', total)}</div>
      {answer.measured && <div>measured {measured < 0 ? 'nothing yet' : readable('bytes', answer.measured.bytes[measured] ?? null)}</div>}
      {layer >= 0 && bytes !== null && (
        <div class="hint-layer">
          <i class="swatch" style={{ background: picture.colors[layer] }} />
          {middle(layerLabel(picture.layers[layer]!.name, answer.by), 60)}: {readable('bytes', bytes)} ({shareOf(bytes, total)})
        </div>
      )}
    </div>
  );
}
