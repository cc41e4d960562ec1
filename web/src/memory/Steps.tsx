// Steps side by side on one scale, and how their memory grows.
import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../api';
import { Table, type TableCol } from '../components/Table';
import { Failure } from '../components/Status';
import { Canvas, useWidth, type Draw } from '../draw/Canvas';
import { exact, readable, signed } from '../format';
import { setLinks, useLink } from '../link';
import { drawStack } from './draw_stack';
import type { LiveQuery } from './LiveTable';
import type { ColorBook } from './names';
import { heightOf, someSteps } from './stack';
import { usePicture } from './StackChart';
import type { GrowthStep, LayersAnswer, MemoryReport } from './types';

const MOST_CURVES = 6;
const MOST_CHECKS = 40;
const HEIGHT = 150;
const POINTS = 160;

function useCurves(query: LiveQuery, by: string, steps: number[]): { curves: LayersAnswer[]; error: string } {
  const [state, setState] = useState<{ curves: LayersAnswer[]; error: string }>({ curves: [], error: '' });
  const key = JSON.stringify([query, by, steps]);
  useEffect(() => {
    const control = new AbortController();
    Promise.all(steps.map((step) => fetchJson<LayersAnswer>('api/memory/layers', { ...query, by, step, points: POINTS, layers: 12 }, control.signal))).then(
      (curves) => { if (!control.signal.aborted) setState({ curves, error: '' }); },
      (error: Error) => { if (!control.signal.aborted) setState({ curves: [], error: error.message }); });
    return () => control.abort();
  }, [key]);
  return state;
}

function Multiple({ answer, book, height, span, first, chosen }: {
  answer: LayersAnswer; book: ColorBook; height: number; span: number; first: LayersAnswer; chosen: boolean;
}) {
  const [place, width] = useWidth<HTMLDivElement>();
  const picture = usePicture({ answer, book, window: { from: answer.begin, to: answer.begin + span }, moment: null, shown: '' });
  const draw: Draw = (pen, wide, tall, colors) => drawStack(pen, { ...picture, height, small: true }, wide, tall, colors);
  const grew = answer.peak && first.peak && answer !== first ? answer.peak.bytes - first.peak.bytes : null;
  return (
    <figure>
      <figcaption>
        <button type="button" aria-pressed={chosen} onClick={() => setLinks({ step: answer.step, from: null, to: null, at: null }, true)}>Step {answer.step}</button>
        <span title={exact('bytes', answer.peak?.bytes ?? null)}>peak {readable('bytes', answer.peak?.bytes ?? null)}</span>
        {grew !== null && <span class={grew > 0 ? 'grew' : grew < 0 ? 'shrank' : 'soft'} title={`since step ${first.step}`}>{signed('bytes', grew)}</span>}
      </figcaption>
      <div ref={place}><Canvas width={width} height={HEIGHT} draw={draw} role="img" aria-label={`Memory of step ${answer.step}, peak ${readable('bytes', answer.peak?.bytes ?? null)}`} /></div>
    </figure>
  );
}

const COLUMNS: TableCol<GrowthStep>[] = [
  { title: 'step', number: true, value: (row) => row.step },
  { title: 'peak', number: true, value: (row) => row.peak_bytes, show: (row) => readable('bytes', row.peak_bytes), hint: (row) => exact('bytes', row.peak_bytes) },
  {
    title: 'grew', number: true, value: (row) => row.grew_bytes, hint: (row) => exact('bytes', row.grew_bytes),
    show: (row) => (row.grew_bytes === null ? '' : <span class={row.grew_bytes > 0 ? 'grew' : row.grew_bytes < 0 ? 'shrank' : 'soft'}>{signed('bytes', row.grew_bytes)}</span>),
  },
  { title: 'held before the step', number: true, value: (row) => row.baseline_bytes, show: (row) => readable('bytes', row.baseline_bytes), hint: (row) => exact('bytes', row.baseline_bytes) },
  { title: 'still held at its end', number: true, value: (row) => row.still_held_bytes, show: (row) => readable('bytes', row.still_held_bytes), hint: (row) => exact('bytes', row.still_held_bytes) },
];

export function Steps({ query, by, steps, book, report }: { query: LiveQuery; by: string; steps: number[]; book: ColorBook; report: MemoryReport | null }) {
  const [picked] = useLink('steps');
  const asked = picked.split(',').map(Number).filter((step) => picked !== '' && steps.includes(step));
  const shown = (asked.length ? asked : someSteps(steps, 3)).slice(0, MOST_CURVES);
  const { curves, error } = useCurves(query, by, shown);
  const height = Math.max(1, ...curves.map((curve) => heightOf({ ...curve, capacity: null })));
  const span = Math.max(1, ...curves.map((curve) => curve.span - curve.begin));
  const growth = report?.growth?.find((line) => line.device === query.device && line.allocator === query.allocator);
  const toggle = (step: number) => {
    const next = steps.filter((one) => (one === step) !== shown.includes(one));
    setLinks({ steps: next.slice(0, MOST_CURVES).join(',') });
  };
  return (
    <section class="panel" aria-label="Steps side by side">
      <div class="tools"><h2>Step by step</h2><span class="soft small">one scale for all; the same device, allocator and layers as above</span></div>
      {steps.length > 3 && (
        <fieldset class="checks">
          <legend>Steps</legend>
          {someSteps(steps, MOST_CHECKS).map((step) => (
            <label><input type="checkbox" checked={shown.includes(step)} disabled={!shown.includes(step) && shown.length >= MOST_CURVES} onChange={() => toggle(step)} /> {step}</label>
          ))}
        </fieldset>
      )}
      {error ? <Failure text={error} /> : (
        <div class="multiples">
          {curves.map((curve) => <Multiple key={curve.step} answer={curve} book={book} height={height} span={span} first={curves[0]!} chosen={curve.step === query.step} />)}
        </div>
      )}
      {growth && growth.steps.length > 1 && <Table heading title="From step to step" columns={COLUMNS} rows={growth.steps} most={20}
        onPick={(row) => setLinks({ step: row.step, from: null, to: null, at: null }, true)} picked={(row) => row.step === query.step} />}
    </section>
  );
}
