// The selected bar, and what is measured.
import { copyText } from '../components/save';
import type { Range } from '../draw/scale';
import { exact, grouped, readable, shareOf } from '../format';
import { openTab } from '../link';
import type { BarData } from './types';

export function Measured({ measure, onClear }: { measure: Range; onClear: () => void }) {
  const length = Math.abs(measure.to - measure.from);
  return (
    <p class="tl-measured" role="status">
      <b>{readable('time', length)}</b> measured ({exact('time', length)}), from {exact('time', Math.min(measure.from, measure.to))} to {exact('time', Math.max(measure.from, measure.to))}{' '}
      <button type="button" onClick={onClear}>Clear</button>
    </p>
  );
}

// hasMemory: and its clock is that of the timeline, which it is not in captures.
export function Details({ bar, hasTime, hasMemory, onZoom, onClear }: { bar: BarData | null; hasTime: boolean; hasMemory: boolean; onZoom: () => void; onClear: () => void }) {
  if (!bar) return null;
  const joined = bar.count > 1;
  return (
    <section class="panel tl-details" aria-label="Selected bar">
      <div class="tools">
        <h2><bdi>{bar.name || '(no name)'}</bdi></h2>
        <button type="button" onClick={onZoom}>Zoom to it</button>
        {hasTime && <button type="button" onClick={() => openTab('time', { view: 'scope', q: bar.name })}>Show in Time</button>}
        {hasMemory && <button type="button" onClick={() => openTab('memory', { at: String(bar.start) })}>Memory then</button>}
        <button type="button" onClick={() => void copyText(bar.name)}>Copy name</button>
        <button type="button" aria-label="Close the details" onClick={onClear}>✕</button>
      </div>
      <dl class="tl-facts">
        <div><dt>lane</dt><dd><bdi>{bar.laneName}</bdi>{bar.row > 0 ? `, row ${bar.row + 1}` : ''}</dd></div>
        <div><dt>start</dt><dd title={exact('time', bar.start)}>{exact('time', bar.start)}</dd></div>
        <div><dt>length</dt><dd title={exact('time', bar.length)}>{readable('time', bar.length)}</dd></div>
        <div><dt>end</dt><dd>{exact('time', bar.start + bar.length)}</dd></div>
        {joined && <div><dt>executions</dt><dd>{grouped(bar.count)}</dd></div>}
        {joined && <div><dt>busy</dt><dd title={exact('time', bar.busy)}>{readable('time', bar.busy)} ({shareOf(bar.busy, bar.length)})</dd></div>}
      </dl>
      {joined && <p class="soft small">So many executions are too narrow to be seen alone; the name is that of the longest. Zoom to them to see each.</p>}
    </section>
  );
}
