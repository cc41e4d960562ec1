// The table of tabs: what each is called, and for which runs it is there.
import type { ComponentType } from 'preact';
import { MemoryTab } from '../memory/MemoryTab';
import { TimelineTab } from '../timeline/TimelineTab';
import type { RunEntry, RunInfo } from '../types';
import { CompareTab } from './CompareTab';
import { OverviewTab } from './OverviewTab';
import { CheckpointTab, ModelTab } from './ReportTabs';
import { TimeTab } from './TimeTab';

export interface TabProps { run: RunInfo; runs: RunEntry[] }
export interface Tab {
  id: string;
  title: string;
  there: (run: RunInfo, several?: boolean) => boolean;   // several: there are other runs
  component: ComponentType<TabProps>;
}

const has = (...kinds: string[]) => (run: RunInfo) => kinds.some((kind) => run.kinds.includes(kind));

export const TABS: Tab[] = [
  // A model or a checkpoint alone has no overview but itself.
  { id: 'overview', title: 'Overview', there: (run, several) => several || run.kinds.includes('summary') || !run.kinds.some((kind) => kind === 'model' || kind === 'checkpoint'), component: OverviewTab },
  { id: 'memory', title: 'Memory', there: has('memory'), component: MemoryTab },
  { id: 'time', title: 'Time', there: has('scope', 'op', 'graph', 'code'), component: TimeTab },
  { id: 'timeline', title: 'Timeline', there: (run) => run.timeline, component: TimelineTab },
  { id: 'compare', title: 'Compare', there: has('scope', 'op', 'graph', 'code'), component: CompareTab },
  { id: 'model', title: 'Model', there: has('model'), component: ModelTab },
  { id: 'checkpoint', title: 'Checkpoint', there: has('checkpoint'), component: CheckpointTab },
];
