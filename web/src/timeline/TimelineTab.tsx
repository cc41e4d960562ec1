// Who worked when: lanes of devices, streams and threads, with memory below on the same axis.
import { useMemo, useRef } from 'preact/hooks';
import { address, fetchJson } from '../api';
import { Chart } from '../components/Chart';
import { Busy, Failure } from '../components/Status';
import { pictureOf, useWidth, type Draw } from '../draw/Canvas';
import { grouped } from '../format';
import { setLinks, useLink } from '../link';
import { isDark } from '../theme';
import type { RunInfo } from '../types';
import { arrowsIn, mostArrows } from './draw_lanes';
import { Details, Measured } from './Details';
import { nextHit, previousHit } from './find';
import { InSight } from './InSight';
import { barsInSight } from './in_sight';
import type { KeyTarget } from './keys';
import { Lanes } from './Lanes';
import { layout } from './layout';
import { isCapture } from '../memory/names';
import { matcher } from './matches';
import { MemoryStrip } from './MemoryStrip';
import { parseRange, toggled } from './marks';
import { Search } from './Search';
import { barOf, formatSpot, nextBar, nextRow, parseSpot } from './select';
import './timeline.css';
import { barData, type BarRef, type FindAnswer, type Hit, type TimelineAnswer } from './types';
import { useSight } from './use_timeline';
import { reveal } from './view';
import { Whole } from './Whole';

const MOST_SAVED = 20_000;

export function TimelineTab({ run }: { run: RunInfo }) {
  const [step] = useLink('step');
  return <Timeline key={run.id + '/' + step} run={run} step={step} />;
}

function Timeline({ run, step }: { run: RunInfo; step: string }) {
  const [place, width] = useWidth<HTMLDivElement>();
  const { sight, settled } = useSight(run.id, step, width);
  const [words] = useLink('q');
  const [fold] = useLink('fold');
  const [chosen] = useLink('sel');
  const [measureText] = useLink('measure');
  const [arrows] = useLink('arrows', '1');
  const field = useRef<HTMLInputElement>(null);
  const scene = useRef<((width: number, height: number) => { draw: Draw; height: number }) | null>(null);
  const folded = useMemo(() => new Set(fold.split(',').filter(Boolean)), [fold]);
  const hit = useMemo(() => matcher(words), [words]);
  const spot = parseSpot(chosen), measure = parseRange(measureText);
  const { whole } = sight, answer = sight.answer;
  const selectedIn = (one: TimelineAnswer): BarRef | null => (spot ? barOf(one, spot) : null);
  const selected = answer ? selectedIn(answer) : null;
  const bar = answer && selected ? barData(answer, selected) : null;

  const select = (ref: BarRef | null, from: TimelineAnswer) => setLinks({ sel: ref ? formatSpot(barData(from, ref)) : null });
  const show = (one: Hit) => {
    setLinks({ sel: formatSpot(one) });
    sight.set(reveal(sight.view, one.start, one.length, sight.pixels, sight.span));
  };
  // A step from bar to bar moves what is in sight, and never zooms.
  const follow = (ref: BarRef, from: TimelineAnswer) => {
    const { start, length } = barData(from, ref), { view } = sight, wide = view.to - view.from;
    select(ref, from);
    if (start + length < view.from || start > view.to) sight.set({ from: start + length / 2 - wide / 2, to: start + length / 2 + wide / 2 });
  };
  const go = async (by: number) => {
    if (!words || !whole) return;
    const ask = (from: number) => fetchJson<FindAnswer>('api/timeline/find', { run: run.id, step, q: words, from });
    const now = spot && bar && hit?.(bar.name) ? { ...bar, start: spot.start } : null;
    const one = await (by > 0 ? nextHit(ask, now, sight.view.from) : previousHit(ask, now, sight.view.to, sight.span)).catch(() => null);
    if (one) show(one);
  };
  const keys: KeyTarget = {
    step: (by) => {
      if (!answer || !whole || !selected) return;
      // Beyond what is loaded finely, the whole step knows.
      const near = nextBar(answer, selected, by), coarse = near ? null : selectedIn(whole), far = coarse && nextBar(whole, coarse, by);
      if (near) follow(near, answer);
      else if (far) follow(far, whole);
    },
    lane: (by) => { if (answer) { const next = nextRow(answer, layout(answer, folded).placed, selected, (sight.view.from + sight.view.to) / 2, by); if (next) follow(next, answer); } },
    zoomTo: () => { if (bar) sight.set({ from: bar.start - bar.length * 0.15, to: bar.start + bar.length * 1.15 }); },
    find: () => field.current?.focus(),
    next: (by) => void go(by),
    mark: () => { if (bar) setLinks({ measure: measure && measure.from === measure.to ? `${measure.from}:${bar.start + bar.length}` : `${bar.start}:${bar.start}` }); },
    clear: () => setLinks({ sel: null, measure: null }),
  };

  const hidden = answer && arrows === '1' ? arrowsIn(answer, settled).length : 0;
  const title = whole && whole.step !== null ? `Timeline, step ${whole.step}` : 'Timeline';
  const file = { run: run.id, step };
  return (
    <>
      <Chart title={title}
             sheet={() => {
               const { rows } = barsInSight(sight.answer!, sight.view, MOST_SAVED);
               return { heads: ['lane', 'row', 'name', 'start', 'length', 'executions', 'busy'], rows: rows.map((row) => [row.laneName, row.row, row.name, row.start, row.length, row.count, row.busy]) };
             }}
             picture={() => { const made = scene.current!(1400, 200); return pictureOf(made.draw, 1400, made.height, isDark()); }}
             tools={whole && <>
               {whole.steps.length > 1 && (
                 <label>Step <select value={whole.step === null ? '' : String(whole.step)} onChange={(event) => setLinks({ step: event.currentTarget.value, from: null, to: null, sel: null, measure: null }, true)}>
                   {isCapture(run) && <option value="">all</option>}
                   {whole.steps.map((one) => <option value={String(one)}>{one}</option>)}
                 </select></label>
               )}
               <Search run={run.id} step={step} field={field} onNext={(by) => void go(by)} />
               <button type="button" aria-pressed={arrows === '1'} onClick={() => setLinks({ arrows: arrows === '1' ? '0' : null })}>Arrows</button>
               <button type="button" onClick={() => sight.set({ from: 0, to: sight.span })}>Show all</button>
               <a class="button" href={address('api/trace', { ...file, format: 'perfetto' })} download={whole.step === null ? 'tfprof.pftrace' : `tfprof_step_${whole.step}.pftrace`}>Save for Perfetto</a>
             </>}>
        <div ref={place}>
          {sight.store.error && <Failure text={sight.store.error} />}
          {sight.store.error && step && <button type="button" onClick={() => setLinks({ step: null, from: null, to: null, sel: null })}>Show the first step instead</button>}
          {!whole && !sight.store.error && <Busy text="Loading the timeline…" />}
          {whole && (whole.events === 0 ? <p class="soft">No execution is recorded in this step.</p> : width > 0 && (
            <>
              <Whole sight={sight} whole={whole} width={width} />
              <Lanes sight={sight} whole={whole} width={width} folded={folded} hit={hit} measure={measure} arrows={arrows === '1'} selected={selectedIn} scene={scene} keys={keys}
                     onSelect={select} onFold={(key) => setLinks({ fold: toggled(folded, key) })}
                     onMeasure={(range) => setLinks({ measure: range ? `${range.from}:${range.to}` : null })} />
              <MemoryStrip sight={sight} answer={answer ?? whole} width={width} />
            </>
          ))}
        </div>
        {measure && measure.from !== measure.to && <Measured measure={measure} onClear={() => setLinks({ measure: null })} />}
        {whole && <p class="keys">{grouped(whole.events)} executions{hidden > mostArrows(width) ? `, ${grouped(hidden)} arrows: too many to draw at once: zoom in, or select a bar for its own` : ''}. Wheel zooms, drag moves, Shift and drag measures, double click zooms in. Keys: W A S D, ↑ ↓ [ ] bars, F to it, / search, N next, M mark, 0 all.</p>}
      </Chart>
      <Details bar={bar} hasTime={run.kinds.includes('scope')} hasMemory={run.kinds.includes('memory') && !isCapture(run)} onZoom={keys.zoomTo} onClear={keys.clear} />
      {answer && <InSight answer={answer} view={settled} onPick={(ref, from) => show(barData(from, ref))} />}
    </>
  );
}
