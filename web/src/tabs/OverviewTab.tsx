// What there is: the runs and how they developed, and of the chosen one its summary, advice, and other short reports.
import { Advice } from './Advice';
import { useLink, usePlace } from '../link';
import { formatPlace } from '../router';
import type { RunEntry, RunInfo } from '../types';
import { StepChoice } from './OptionsBar';
import { ReportView } from './ReportView';
import { RunCards } from './RunCards';
import { RunList } from './RunList';

const REPORTS = [
  { kind: 'summary', title: 'Summary', steps: true },
  { kind: 'advise', title: 'Advice', steps: false },
  { kind: 'steps', title: 'Steps', steps: false },
  { kind: 'kernels', title: 'Kernels', steps: false },
  { kind: 'oom', title: 'Out of memory', steps: false },
  { kind: 'info', title: 'What the input holds', steps: false },
];

export function OverviewTab({ run, runs }: { run: RunInfo; runs: RunEntry[] }) {
  const alone = ['model', 'checkpoint'].filter((kind) => !run.kinds.includes('summary') && run.kinds.includes(kind));
  const reports = REPORTS.filter((one) => run.kinds.includes(one.kind) && !alone.length);
  const [wanted] = useLink('report', reports[0]?.kind ?? ''), place = usePlace(), step = place.values.step;
  const chosen = reports.find((one) => one.kind === wanted) ?? reports[0];
  return (
    <>
      {runs.length > 1 && <RunList runs={runs} chosen={run.id} />}
      {runs.length > 1 && <h2 class="run-title">{run.name}</h2>}
      <RunCards run={run} />
      {run.warnings.map((text) => <div class="warning" role="note">{text}</div>)}
      {reports.length > 1 && (
        <nav class="subtabs" aria-label="Reports">
          {reports.map((one) => {
            const values: Record<string, string> = { report: one.kind };
            if (place.values.run) values.run = place.values.run;
            if (step && one.steps) values.step = step;
            return <a href={formatPlace({ tab: 'overview', values })} aria-current={one === chosen ? 'true' : undefined}>{one.title}</a>;
          })}
        </nav>
      )}
      {chosen?.steps && <div class="tools options"><StepChoice run={run} /></div>}
      {chosen && (chosen.kind === 'advise' ? <Advice run={run} />
        : <ReportView run={run} kind={chosen.kind} options={chosen.steps && step ? { step } : {}} />)}
      {alone.map((kind) => <ReportView run={run} kind={kind} />)}
      {chosen?.kind === 'summary' && reports.some((one) => one.kind === 'advise') && <Advice run={run} brief />}
      {chosen?.kind === 'summary' && run.notes.length > 0 && (
        <details class="about"><summary>How it was read</summary>{run.notes.map((text) => <p class="soft small">{text}</p>)}</details>
      )}
    </>
  );
}
