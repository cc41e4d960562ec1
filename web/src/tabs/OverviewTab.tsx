import type { RunInfo } from '../types';

export function OverviewTab({ run }: { run: RunInfo }) {
  return <p class="soft">{run.name}</p>;
}
