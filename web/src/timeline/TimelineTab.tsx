import type { RunInfo } from '../types';

export function TimelineTab({ run }: { run: RunInfo }) {
  return <p class="soft">The timeline of {run.name}.</p>;
}
