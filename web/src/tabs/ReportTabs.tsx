// Tabs that are one report: what a model is, what a checkpoint holds.
import type { RunInfo } from '../types';
import { ReportView } from './ReportView';

export function ModelTab({ run }: { run: RunInfo }) { return <ReportView run={run} kind="model" />; }
export function CheckpointTab({ run }: { run: RunInfo }) { return <ReportView run={run} kind="checkpoint" />; }
