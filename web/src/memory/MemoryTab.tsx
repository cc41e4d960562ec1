import type { RunInfo } from '../types';

export function MemoryTab({ run }: { run: RunInfo }) {
  return <p class="soft">The memory of {run.name}.</p>;
}
