// What is below the pointer.
import { momentLabel } from '../draw/label';
import { middle, readable, shareOf } from '../format';
import { barData, type BarRef, type TimelineAnswer } from './types';

const WIDE = 290;
const TALL = 110;

export function BarHint({ answer, bar, x, y, width, height }: { answer: TimelineAnswer; bar: BarRef; x: number; y: number; width: number; height: number }) {
  const data = barData(answer, bar);
  const left = x + 14 + WIDE < width ? x + 14 : Math.max(0, x - WIDE - 14);
  return (
    <div class="hint" style={{ left: left + 'px', top: Math.max(0, Math.min(y + 16, height - TALL)) + 'px', width: Math.min(WIDE, width) + 'px' }} aria-hidden="true">
      <b><bdi>{middle(data.name, 120)}</bdi></b>
      <div>{readable('time', data.length)} from {momentLabel(data.start, data.length * 100)}</div>
      {data.count > 1 && <div>{data.count} executions, too narrow to be seen alone; {readable('time', data.busy)} busy ({shareOf(data.busy, data.length)}). The name is that of the longest.</div>}
    </div>
  );
}
