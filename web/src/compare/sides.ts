// What is compared, in the address: "0,1@10,1@100" are run 0, and steps 10 and 100 of run 1.

export interface Side { run: string; step: string }   // step "": the mean of the steps

export function parseSides(text: string): Side[] {
  return text.split(',').filter(Boolean).map((one) => {
    const [run = '', step = ''] = one.split('@');
    return { run, step: /^\d+$/.test(step) ? step : '' };
  });
}

export function formatSides(sides: Side[]): string {
  return sides.map(({ run, step }) => (step ? `${run}@${step}` : run)).join(',');
}

export function sideQuery({ run, step }: Side): string { return step ? `${run}@step=${step}` : run; }

// Two steps of one run, or the first two runs: what one looks at first.
export function firstSides(run: { id: string; steps: number[] }, runs: { id: string }[]): Side[] {
  const other = runs.find((one) => one.id !== run.id);
  if (run.steps.length > 1) return [{ run: run.id, step: String(run.steps[0]) }, { run: run.id, step: String(run.steps[run.steps.length - 1]) }];
  return other ? [{ run: other.id, step: '' }, { run: run.id, step: '' }] : [{ run: run.id, step: '' }];
}
