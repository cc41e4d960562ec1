// The figures of a run that one asks for first, and where each is looked at closer.
import { exact, readable } from '../format';
import { usePlace } from '../link';
import { tabAddress } from '../router';
import type { MaybeNum, RunInfo, Unit } from '../types';

export function RunCards({ run }: { run: RunInfo }) {
  const place = usePlace(), steps = run.steps;
  const figures: { title: string; unit: Unit; value: MaybeNum | undefined; note: string; tab: string; more: Record<string, string> }[] = [
    { title: 'time of a step', unit: 'time', value: run.figures.micros, note: 'all nodes together, mean of the steps', tab: 'time', more: { figure: 'micros' } },
    { title: 'peak of memory', unit: 'bytes', value: run.peak_bytes, note: 'the largest of any device and step', tab: run.kinds.includes('memory') ? 'memory' : '', more: {} },
    { title: 'parameters', unit: 'count', value: run.figures.params, note: '', tab: 'time', more: { figure: 'params' } },
    { title: 'float ops of a step', unit: 'count', value: run.figures.float_ops, note: '', tab: 'time', more: { figure: 'float_ops' } },
  ];
  const shown = figures.filter((one) => one.value !== undefined && one.value !== null);
  if (!shown.length && !steps.length) return null;
  return (
    <div class="cards">
      {shown.map((one) => (
        <div class="card" title={exact(one.unit, one.value!)}>
          <div class="label">{one.tab && Number(one.value) > 0 ? <a href={tabAddress(place, one.tab, one.more)}>{one.title}</a> : one.title}</div>
          <div class="value">{readable(one.unit, one.value!)}</div>
          {one.note && <div class="note">{one.note}</div>}
        </div>
      ))}
      {steps.length > 0 && (
        <div class="card" title={steps.join(', ')}>
          <div class="label">steps</div>
          <div class="value">{steps.length}</div>
          <div class="note">{steps.slice(0, 8).join(', ')}{steps.length > 8 ? ', …' : ''}</div>
        </div>
      )}
      {run.devices.length > 0 && (
        <div class="card" title={run.devices.join('\n')}>
          <div class="label">devices</div>
          <div class="value">{run.devices.length}</div>
          <div class="note">{run.devices.slice(0, 3).map((name) => name.replace(/^.*device:/, '')).join(', ')}{run.devices.length > 3 ? ', …' : ''}</div>
        </div>
      )}
    </div>
  );
}
