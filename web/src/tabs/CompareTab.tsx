import type { RunInfo } from '../types';

export function CompareTab({ run }: { run: RunInfo }) {
  return <p class="soft">{run.name}</p>;
}
