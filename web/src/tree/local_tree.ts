// A view whose rows are all in the page: it folds, sorts and filters at once.
import { localFlame } from '../flame/local_flame';
import type { MaybeNum, ViewData } from '../types';
import { makeColumns } from './local_columns';
import { type FlameGraph, pattern, type Sorting, TreeModel } from './model';
import { Rows } from './rows';

const MATCH = 1, ABOVE_MATCH = 2, BELOW_MATCH = 3;
const ROWS_AT_FIRST = 40;

export class LocalTree extends TreeModel {
  readonly rows: Rows;
  readonly first: number;  // the op view prints no root
  readonly folds: boolean;
  matches: number | null = null;
  private open: Uint8Array;
  private marks: Uint8Array | null = null;

  // weight: what orders and opens rows at first; wideAsFirst: flame graphs of comparisons are as wide as the first input.
  constructor(readonly view: ViewData, private weight?: (row: number) => number, readonly wideAsFirst = false) {
    super();
    this.rows = new Rows(view);
    this.first = view.hides_root ? 1 : 0;
    this.open = new Uint8Array(this.rows.size);
    this.folds = view.depth.some((d) => d > this.first);
    Object.assign(this, makeColumns(this));
    if (weight) this.sort(null);
    this.openAtFirst();
  }

  get rowsInAll(): number { return this.rows.size - this.first; }
  label(i: number): string { return this.flat ? this.rows.names[i]! : this.rows.label(i); }
  name(i: number): string { return this.rows.names[i]!; }
  depth(i: number): number { return this.flat ? 0 : this.rows.depth[i]! - this.first; }
  parent(i: number): number { return this.rows.parent[i]!; }
  hasChildren(i: number): boolean { return !this.flat && this.rows.hasChildren(i); }
  isOpen(i: number): boolean { return this.open[i] === 1; }
  override isMatch(i: number): boolean { return !this.marks || this.marks[i] === MATCH; }
  inFilter(i: number): boolean { return !this.marks || this.marks[i] === MATCH || this.marks[i] === BELOW_MATCH; }

  roots(): number[] {
    if (this.first) return [...this.rows.childrenOf(0)];
    const out: number[] = [];
    for (let i = 0; i < this.rows.size; ++i) if (this.rows.parent[i]! < 0) out.push(i);
    return out;
  }

  // Opens the rows that hold most, until there is about a screen full.
  private openAtFirst(): void {
    const main = this.columns.find((c) => c.figure === this.view.columns[this.view.main]?.name && c.key.startsWith('total'));
    const size = this.weight ?? ((i: number) => Math.abs(Number(main?.value(i) ?? 0)));
    const candidates = this.roots();
    if (this.rows.size <= ROWS_AT_FIRST) return void this.open.fill(1);
    let count = candidates.length;
    while (candidates.length && count < ROWS_AT_FIRST) {
      let best = 0;
      for (let k = 1; k < candidates.length; ++k) if (size(candidates[k]!) > size(candidates[best]!)) best = k;
      const row = candidates.splice(best, 1)[0]!, below = this.rows.childrenOf(row);
      if (!below.length || (count + below.length > 3 * ROWS_AT_FIRST && count > 1)) continue;
      this.open[row] = 1;
      count += below.length;
      candidates.push(...below.slice(0, 200));
    }
  }

  openAll(open: boolean): void {
    this.open.fill(open ? 1 : 0);
    const roots = this.roots();
    if (!open && roots.length === 1) this.open[roots[0]!] = 1;
    this.changed();
  }

  toggle(i: number, whole = false): void {
    const open = this.open[i] ? 0 : 1;
    this.open.fill(open, i, whole ? this.rows.endOf(i) : i + 1);
    this.changed();
  }

  async reveal(i: number): Promise<void> {
    for (let p = this.rows.parent[i]!; p >= 0; p = this.rows.parent[p]!) this.open[p] = 1;
    this.changed();
  }

  setFlat(flat: boolean): void {
    this.flat = flat;
    this.changed();
  }

  // Rows whose name, or the text of a column, holds the words.
  filter(text: string): boolean {
    this.marks = null;
    this.matches = null;
    const wanted = text ? pattern(text) : null;
    if (wanted) this.mark(wanted);
    this.changed();
    return !text || wanted !== null;
  }

  private mark(wanted: RegExp): void {
    const { size, names, parent } = this.rows;
    const marks = new Uint8Array(size), under = new Uint8Array(size), over = new Uint8Array(size);
    this.matches = 0;
    for (let i = this.first; i < size; ++i) {
      const above = parent[i]!;
      under[i] = above >= 0 && (marks[above] === MATCH || under[above]) ? 1 : 0;
      if (!wanted.test(names[i]!) && !this.texts.some((column) => wanted.test(column.value(i)))) {
        if (under[i]) marks[i] = BELOW_MATCH;
        continue;
      }
      marks[i] = MATCH;
      ++this.matches;
      for (let p = above; p >= 0 && !over[p]; p = parent[p]!) {
        over[p] = this.open[p] = 1;
        if (marks[p] !== MATCH) marks[p] = ABOVE_MATCH;
      }
    }
    this.marks = marks;
  }

  private order(): (a: number, b: number) => number {
    const by = this.sorting, { names } = this.rows;
    const { weight } = this;
    if (!by) return weight ? (a, b) => weight(b) - weight(a) || a - b : (a, b) => a - b;
    const sign = by.up ? 1 : -1, text = this.texts.find((c) => c.key === by.key), figure = this.columns.find((c) => c.key === by.key);
    if (text) return (a, b) => sign * text.value(a).localeCompare(text.value(b), 'en', { numeric: true }) || a - b;
    if (!figure) return (a, b) => sign * (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : a - b);
    const number = (raw: MaybeNum) => (raw === null ? NaN : Number(raw));
    return (a, b) => {
      const x = number(figure.value(a)), y = number(figure.value(b));
      if (x !== x || y !== y) return Number(x !== x) - Number(y !== y) || a - b;  // what is not known comes last
      return sign * (x - y) || a - b;
    };
  }

  sort(sorting: Sorting | null): void {
    this.sorting = sorting;
    const order = this.order(), { start, size } = this.rows;
    for (let i = 0; i < size; ++i) if (start[i + 1]! - start[i]! > 1) this.rows.childrenOf(i).sort(order);
    this.changed();
  }

  protected list(): number[] {
    const { marks, open } = this, { start, children, size } = this.rows, out: number[] = [];
    if (this.flat) {
      for (let i = this.first; i < size; ++i) if (!marks || marks[i] === MATCH) out.push(i);
      return out.sort(this.order());
    }
    const stack = this.roots().sort(this.order()).reverse();
    while (stack.length) {
      const i = stack.pop()!;
      if (marks && !marks[i]) continue;
      out.push(i);
      if (open[i]) for (let k = start[i + 1]! - 1; k >= start[i]!; --k) stack.push(children[k]!);
    }
    return out;
  }

  async flame(row: number, figure: string, finest: number): Promise<FlameGraph> {
    return localFlame(this, row, figure, finest);
  }
}
