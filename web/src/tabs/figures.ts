// Which figures a run has, and which of them are looked at first.
import { num } from '../format';
import type { Column, RunInfo } from '../types';

const FIRST = ['micros', 'peak_bytes', 'bytes', 'float_ops', 'params', 'output_bytes'];

export function recordedFigures(run: RunInfo): Column[] {
  return run.columns.filter((column) => column.recorded && num(run.figures[column.name]) > 0);
}

export function mainFigure(run: RunInfo): string {
  const there = recordedFigures(run).map((column) => column.name);
  return FIRST.find((name) => there.includes(name)) ?? there[0] ?? run.columns[0]?.name ?? 'micros';
}

// The columns of a table: those named in the address, else the most telling ones.
export function chosenFigures(run: RunInfo, text: string, main: string, most = 3): Column[] {
  const there = recordedFigures(run), asked = text ? text.split(',') : [...new Set([main, ...FIRST])].filter((name) => there.some((c) => c.name === name)).slice(0, most);
  const found = asked.flatMap((name) => there.filter((column) => column.name === name));
  return [...found.filter((column) => column.name === main), ...found.filter((column) => column.name !== main)];
}
