// Memory over time: who held how much when, step by step and tensor by tensor.
import { useMemo, useState } from 'preact/hooks';
import { useApi } from '../api';
import { Chart } from '../components/Chart';
import { Failure, Shown } from '../components/Status';
import { pictureOf } from '../draw/Canvas';
import { momentLabel } from '../draw/label';
import { setLinks, useLink, useLinkNumber, usePlace } from '../link';
import { ReportView } from '../tabs/ReportView';
import { isDark } from '../theme';
import type { RunInfo } from '../types';
import { Devices } from './Devices';
import { drawStack } from './draw_stack';
import { Facts } from './Facts';
import { Fragmentation } from './Fragmentation';
import { Held } from './Held';
import { Legend } from './Legend';
import { LiveTable } from './LiveTable';
import './memory.css';
import { ColorBook, isCapture, shortDevice } from './names';
import { StackChart, usePicture } from './StackChart';
import { Steps } from './Steps';
import { layersSheet } from './stack';
import { GROUPINGS, type LayersAnswer, type MemoryReport } from './types';

const POINTS = 700;
const MOST_STEPS_REPORTED = 200;     // beyond it the report has the chosen step alone: a growth table of thousands is no help

export function MemoryTab({ run }: { run: RunInfo }) {
  const [device] = useLink('device');
  const [allocator] = useLink('allocator');
  const [by] = useLink('by', 'class');
  const [step] = useLink('step');
  const [from] = useLinkNumber('from');
  const [to] = useLinkNumber('to');
  const answer = useApi<LayersAnswer>('api/memory/layers', {
    run: run.id, step, device, allocator, by, from: Number.isNaN(from) ? null : from, to: Number.isNaN(to) ? null : to, points: POINTS, layers: 12,
  });
  if (answer.error) return <Unfit error={answer.error} />;
  return (
    <Shown answer={answer}>{(data) => (data.devices.length
      ? <Loaded run={run} answer={data} from={from} to={to} />
      : <><ul class="notes" aria-label="Notes">{data.notes.map((note) => <li>{note}</li>)}</ul><ReportView run={run} kind="memory" /></>)}</Shown>
  );
}

// The address may name a step or a device of another run.
function Unfit({ error }: { error: string }) {
  const { step, device } = usePlace().values;
  return (
    <>
      <Failure text={error} />
      {(step || device) && <button type="button" onClick={() => setLinks({ step: null, device: null, allocator: null, from: null, to: null, at: null })}>Show the first step instead</button>}
    </>
  );
}

function InWords({ run }: { run: RunInfo }) {
  const [open] = useLink('words');
  return (
    <details class="panel" open={open === '1'} onToggle={(event) => { if (event.currentTarget.open !== (open === '1')) setLinks({ words: event.currentTarget.open ? '1' : null }); }}>
      <summary>The memory report, in words</summary>
      {open === '1' && <ReportView run={run} kind="memory" />}
    </details>
  );
}

function Groupings({ by }: { by: string }) {
  return (
    <div class="segments" role="group" aria-label="Layers by">
      {GROUPINGS.map(([key, title]) => (
        <button type="button" aria-pressed={by === key} onClick={() => setLinks({ by: key === 'class' ? null : key, layer: null }, true)}>{title}</button>
      ))}
    </div>
  );
}

function Loaded({ run, answer, from, to }: { run: RunInfo; answer: LayersAnswer; from: number; to: number }) {
  const [at] = useLinkNumber('at');
  const [shown] = useLink('layer');
  const [hover, setHover] = useState<number | null>(null);
  const moment = Number.isNaN(at) ? null : at;
  const window = { from: Number.isNaN(from) ? answer.begin : from, to: Number.isNaN(to) ? answer.span : to };
  if (!(window.to > window.from)) Object.assign(window, { from: answer.begin, to: answer.span });
  const query = { run: run.id, step: answer.step, device: answer.device, allocator: answer.allocator };
  const book = useMemo(() => new ColorBook(answer.by), [run.id, answer.device, answer.allocator, answer.by]);
  const picture = usePicture({ answer, book, window, moment, shown });
  const report = useApi<MemoryReport>('api/report/memory', { run: run.id, format: 'json', step: answer.steps.length > MOST_STEPS_REPORTED ? answer.step : null });
  const ofStep = report.data?.steps?.find((one) => one.step === answer.step)?.devices.find((one) => one.device === answer.device && one.allocator === answer.allocator);
  const zoomedIn = window.from > answer.begin || window.to < answer.span;
  const wide = window.to - window.from;
  const title = `Memory over time, ${shortDevice(answer.device)}${answer.step === null ? '' : `, step ${answer.step}`}`;
  return (
    <>
      <div class="tools">
        <Devices devices={answer.devices} device={answer.device} allocator={answer.allocator}
                 onPick={(line) => setLinks({ device: line.device, allocator: line.allocator, from: null, to: null, at: null, layer: null, page: null }, true)} />
        {answer.steps.length > 1 && (
          <label>Step <select value={answer.step === null ? '' : String(answer.step)} onChange={(event) => setLinks({ step: event.currentTarget.value, from: null, to: null, at: null, page: null }, true)}>
            {isCapture(run) && <option value="">all</option>}
            {answer.steps.map((one) => <option value={String(one)}>{one}</option>)}
          </select></label>
        )}
      </div>
      <Facts answer={answer} report={ofStep} />
      <Chart title={title} sheet={() => layersSheet(answer)}
             picture={() => pictureOf((pen, wide_, tall, colors) => drawStack(pen, picture, wide_, tall, colors), 1100, 420, isDark())}
             tools={<>
               <Groupings by={answer.by} />
               {zoomedIn && <button type="button" onClick={() => setLinks({ from: null, to: null }, true)}>Show all ({momentLabel(window.from, wide)} to {momentLabel(window.to, wide)})</button>}
             </>}>
        <StackChart answer={answer} book={book} window={window} moment={moment} shown={shown} onHover={setHover}
                    onWindow={(next) => setLinks({ from: next?.from, to: next?.to }, true)}
                    onMoment={(next, settled) => setLinks({ at: next, page: null }, settled)} />
        <p class="keys">Drag to zoom, double click to see all, click for what was live. Keys: ← → moment, + − zoom, 0 all, P peak.</p>
        <Legend answer={answer} book={book} at={hover ?? moment} shown={shown} onShow={(name) => setLinks({ layer: name })} />
        {answer.fragmentation && <Fragmentation answer={answer} window={window} />}
        {!answer.exact && <p class="soft small">More changes than can be drawn: each point is the largest total of its stretch of time. Zoom in for all of them.</p>}
        {answer.notes.length > 0 && <ul class="notes" aria-label="Notes">{answer.notes.map((note) => <li>{note}</li>)}</ul>}
      </Chart>
      <LiveTable query={query} at={moment} peak={answer.peak?.micros ?? null} span={answer.span - answer.begin} />
      {answer.steps.length > 1 && <Steps query={query} by={answer.by} steps={answer.steps} book={book} report={report.data} />}
      {report.error ? <p class="soft">{report.error}</p> : ofStep && <Held report={ofStep} step={answer.step} />}
      <InWords run={run} />
    </>
  );
}
