// What the tree table and the flame graph draw, wherever the rows are: in the page (LocalTree) or at the server, which
// sends those that are in sight (RemoteTree). Rows are numbers; those below 0 are on their way.
import { useEffect, useState } from 'preact/hooks';
import type { FlameData, MaybeNum, RowName, Unit } from '../types';

export interface TreeColumn {
  key: string;                     // of sorting: "total:micros"
  figure: string;                  // columns of one figure stand together, below its title
  heading: string;
  title: string;
  unit: Unit;
  recorded: boolean;
  value: (row: number) => MaybeNum;
  whole?: () => MaybeNum;          // what a value is a share of
  signed?: boolean;                // a difference: growth is positive
  spread?: (row: number) => MaybeNum;
  most?: number;                   // the largest difference of any row
}

export interface TextColumn { key: string; title: string; value: (row: number) => string; badge?: boolean }

export interface Sorting { key: string; up: boolean }

export interface RowDetail { title: string; text: string }
export interface CodeLine { file: string; line: number; function?: string; text?: string }

export abstract class TreeModel {
  columns: TreeColumn[] = [];
  texts: TextColumn[] = [];
  sorting: Sorting | null = null;
  flat = false;
  error = '';
  busy = false;
  private listeners = new Set<() => void>();
  private shown: number[] | null = null;

  abstract readonly rowsInAll: number;
  abstract readonly folds: boolean;                 // whether it is a tree at all
  abstract readonly matches: number | null;         // of a filter
  protected abstract list(): number[];
  abstract label(row: number): string;
  abstract name(row: number): string;
  abstract depth(row: number): number;
  abstract parent(row: number): number;             // -1: none
  abstract hasChildren(row: number): boolean;
  abstract isOpen(row: number): boolean;
  abstract toggle(row: number, whole?: boolean): void;
  abstract openAll(open: boolean): void;
  abstract sort(sorting: Sorting | null): void;
  abstract filter(text: string): boolean;           // false: no regular expression
  abstract setFlat(flat: boolean): void;
  abstract reveal(row: number): Promise<void>;
  abstract flame(row: number, figure: string, finest: number, signal?: AbortSignal): Promise<FlameGraph>;

  isMatch(_row: number): boolean { return true; }   // false: shown only for what is below it
  need(_from: number, _to: number): void {}         // these rows of visible() are in sight
  details(_row: number): RowDetail[] { return []; }
  code(_row: number): CodeLine | null { return null; }
  canOpenAll(): boolean { return true; }

  visible(): number[] { return (this.shown ??= this.list()); }

  changed(): void {
    this.shown = null;
    for (const listener of [...this.listeners]) listener();
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }
}

// A flame graph; with a comparison, how each row changed.
export interface FlameGraph extends FlameData {
  differences?: (number | null)[];
  growths?: number[];              // -1: gone, 1: new
}

// The root of every view has a name that no reader chose.
export function shortRoot(label: string): string { return label === '_TFProfRoot' ? 'all' : label; }

export function useModel(model: TreeModel): void {
  const [, again] = useState(0);
  useEffect(() => model.watch(() => again((n) => n + 1)), [model]);
}

export function above(model: TreeModel, row: number): RowName[] {
  const line: RowName[] = [];
  for (let p = row; p >= 0; p = model.parent(p)) line.push({ row: p, label: model.label(p), name: model.name(p) });
  return line.reverse();
}

// Words anywhere, or /a regular expression/; null: a bad one.
export function pattern(text: string): RegExp | null {
  try {
    const wild = /^\/(.+)\/$/.exec(text);
    return new RegExp(wild ? wild[1]! : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
  } catch {
    return null;
  }
}
