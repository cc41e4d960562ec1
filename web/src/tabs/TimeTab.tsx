import type { RunInfo } from '../types';

export function TimeTab({ run }: { run: RunInfo }) {
  return <p class="soft">{run.name}</p>;
}
