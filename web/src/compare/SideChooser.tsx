// The runs and steps that are compared, in order: differences are last less first.
import { useApi } from '../api';
import type { RunEntry, RunInfo } from '../types';
import type { Side } from './sides';

const LETTERS = 'ABCDEFGHIJ';

export function SideChooser({ sides, runs, onChange }: { sides: Side[]; runs: RunEntry[]; onChange: (sides: Side[]) => void }) {
  const change = (k: number, side: Side) => onChange(sides.map((one, at) => (at === k ? side : one)));
  return (
    <div class="sides">
      {sides.map((side, k) => (
        <SideRow key={k} side={side} runs={runs} letter={LETTERS[k] ?? '?'} onChange={(next) => change(k, next)}
                 onRemove={sides.length > 2 ? () => onChange(sides.filter((_, at) => at !== k)) : undefined} />
      ))}
      <div class="tools">
        <button type="button" onClick={() => onChange([...sides, sides[sides.length - 1] ?? { run: runs[0]!.id, step: '' }])}>Add another</button>
        {sides.length === 2 && <button type="button" onClick={() => onChange([...sides].reverse())}>Swap</button>}
      </div>
    </div>
  );
}

function SideRow({ side, runs, letter, onChange, onRemove }: { side: Side; runs: RunEntry[]; letter: string; onChange: (side: Side) => void; onRemove?: () => void }) {
  const info = useApi<RunInfo>('api/run', { run: side.run });
  return (
    <div class="tools">
      <b>{letter}</b>
      <label>run <select value={side.run} onChange={(event) => onChange({ run: event.currentTarget.value, step: '' })}>
        {runs.map((run) => <option value={run.id}>{run.name}</option>)}
      </select></label>
      <label>step <select value={side.step} onChange={(event) => onChange({ ...side, step: event.currentTarget.value })}>
        <option value="">mean of the steps</option>
        {(info.data?.steps ?? []).map((step) => <option value={String(step)}>{step}</option>)}
      </select></label>
      {onRemove && <button type="button" aria-label={'Remove ' + letter} onClick={onRemove}>×</button>}
      {info.error && <span class="bad">{info.error}</span>}
    </div>
  );
}
