// Which step, and the options of the views: the same as on the command line, in the address.
import { useState } from 'preact/hooks';
import { setLinks, useLink, usePlace } from '../link';
import type { RunInfo } from '../types';

const OPTIONS = [
  { name: 'account_type_regexes', title: 'count types', hint: 'op types, devices, _trainable_variables: .*Conv.*' },
  { name: 'show_name_regexes', title: 'show names', hint: '.*encoder.*' },
  { name: 'hide_name_regexes', title: 'hide names', hint: '.*grad.*' },
  { name: 'start_name_regexes', title: 'begin at', hint: '.*loss' },
  { name: 'trim_name_regexes', title: 'nothing below', hint: '.*block_0' },
  { name: 'device_regexes', title: 'devices', hint: '.*gpu.*' },
];

// What the address has of them, ready for a request.
export function useViewOptions(): Record<string, string> {
  const { values } = usePlace(), out: Record<string, string> = {};
  for (const name of ['step', ...OPTIONS.map((one) => one.name)]) if (values[name]) out[name] = values[name]!;
  return out;
}

export function StepChoice({ run, all = 'mean of the steps' }: { run: RunInfo; all?: string }) {
  const [step] = useLink('step');
  if (run.steps.length < 2) return null;
  return (
    <label>step <select value={step} onChange={(event) => setLinks({ step: event.currentTarget.value, zoom: null, at: null }, true)}>
      <option value="">{all}</option>
      {run.steps.map((one) => <option value={String(one)}>{one}</option>)}
    </select></label>
  );
}

export function OptionsBar({ run }: { run: RunInfo }) {
  const options = useViewOptions(), set = OPTIONS.filter((one) => options[one.name]).length;
  const [typed, setTyped] = useState<Record<string, string>>({});
  const apply = () => setLinks({ ...typed, zoom: null, at: null }, true);
  return (
    <div class="tools options">
      <StepChoice run={run} />
      <details class="about" open={set > 0}>
        <summary>Options{set > 0 ? ` (${set} set)` : ''}</summary>
        <form class="option-grid" onSubmit={(event) => { event.preventDefault(); apply(); }}>
          {OPTIONS.map((one) => (
            <label>{one.title}
              <input value={typed[one.name] ?? options[one.name] ?? ''} placeholder={one.hint} spellcheck={false} onInput={(event) => setTyped({ ...typed, [one.name]: event.currentTarget.value })} />
            </label>
          ))}
          <div class="tools">
            <button type="submit">Apply</button>
            <button type="button" onClick={() => { setTyped({}); setLinks({ ...Object.fromEntries(OPTIONS.map((one) => [one.name, null])), zoom: null, at: null }, true); }}>Clear</button>
          </div>
        </form>
      </details>
    </div>
  );
}
