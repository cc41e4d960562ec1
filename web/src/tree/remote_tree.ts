// A view whose rows are at the server: children come when their parent is opened, in parts, as they come in sight.
import { fetchJson, type Query } from '../api';
import { largestFirst } from '../flame/layout';
import type { Column, FlameData, TreePart, TreeRow } from '../types';
import { type CodeLine, type FlameGraph, pattern, type RowDetail, shortRoot, type Sorting, type TreeColumn, TreeModel } from './model';

const PART = 200;             // rows per request
const MOST_ROWS = 500_000;    // browsers limit the height of an element
const ROWS_AT_FIRST = 24, ASKED_AT_FIRST = 5;
const FOUND = -1;             // the list of what a filter found, among those of children

interface List { count: number; rows: (number | undefined)[] }
interface Gap { list: number; index: number }

export class RemoteTree extends TreeModel {
  rowsInAll = 0;
  matches: number | null = null;
  root = 0;
  readonly folds: boolean;
  private known = new Map<number, TreeRow>();
  private parents = new Map<number, number>();
  private lists = new Map<number, List>();
  private opened = new Set<number>();
  private gaps: Gap[] = [];
  private pending = new Set<string>();
  private figures: Column[] = [];
  private hasText = false;  // source text was recorded
  private words = '';
  private part: TreePart | null = null;
  private life = new AbortController();

  // main: the figure that orders the rows where nothing else is asked for.
  constructor(readonly view: string, private query: Query, figures: Column[], private main: string) {
    super();
    this.folds = view !== 'op';
    this.setFigures(figures);
  }

  // Which figures have columns; all of them are in every answer, so this asks nothing.
  setFigures(figures: Column[]): void {
    this.figures = figures;
    // Op types stand for themselves: what accumulates down the rows depends on their order.
    const flat = this.view === 'op', parts: ('own' | 'total')[] = flat ? ['own'] : ['own', 'total'];
    this.columns = figures.flatMap((column) => parts.map((part): TreeColumn => ({
      key: `${part}:${column.name}`, figure: column.name, heading: column.title, unit: column.unit, recorded: column.recorded, title: flat ? 'in all' : part,
      value: (row) => this.known.get(row)?.[part]?.[column.name] ?? null,
      whole: (part === 'own') === flat ? () => this.part?.grand[column.name] ?? null : undefined,
    })));
    const shown = (key: 'type' | 'shape' | 'text', title: string) => ({ key, title, value: (row: number) => this.known.get(row)?.[key] ?? '' });
    this.texts = this.view === 'code' ? (this.hasText ? [shown('text', 'source')] : []) : this.view === 'op' ? [] : [shown('type', 'op'), shown('shape', 'shape')];
    this.changed();
  }

  async start(): Promise<void> {
    await this.load(this.root, 0);
    let row = this.root;
    for (let asked = 0; asked < ASKED_AT_FIRST && this.folds && this.visible().length < ROWS_AT_FIRST; ++asked) {
      const next = this.lists.get(row)?.rows.find((one) => one !== undefined && (this.known.get(one)?.children ?? 0) > 0);
      if (next === undefined) break;
      this.opened.add(next);
      await this.load(next, 0);
      row = next;
    }
  }

  stop(): void { this.life.abort(); }

  label(row: number): string {
    const known = this.known.get(row);
    return !known ? '…' : shortRoot(this.flat || this.words ? known.name : known.label || known.name);
  }
  name(row: number): string { return this.known.get(row)?.name ?? ''; }
  depth(row: number): number { return this.flat || this.words ? 0 : Math.max(0, (this.known.get(row)?.depth ?? 0) - (this.folds ? 0 : 1)); }
  parent(row: number): number { return this.parents.get(row) ?? -1; }
  hasChildren(row: number): boolean { return !this.flat && !this.words && (this.known.get(row)?.children ?? 0) > 0; }
  isOpen(row: number): boolean { return this.opened.has(row); }
  override canOpenAll(): boolean { return false; }

  toggle(row: number): void {
    if (this.opened.delete(row)) return this.changed();
    this.opened.add(row);
    if (!this.lists.has(row)) void this.load(row, 0);
    this.changed();
  }

  openAll(open: boolean): void {
    if (open) return;
    this.opened.clear();
    this.opened.add(this.root);
    this.changed();
  }

  sort(sorting: Sorting | null): void {
    if (sorting?.key === this.sorting?.key && sorting?.up === this.sorting?.up) return;
    this.sorting = sorting;
    this.reload();
  }

  // What is no regular expression is not asked for; what the server's kind (RE2) does not know, it says.
  filter(text: string): boolean {
    if (text && !pattern(text)) return false;
    if (text !== this.words) {
      this.words = text;
      this.reload();
    }
    return true;
  }

  setFlat(flat: boolean): void {
    this.flat = flat;
    this.reload();
  }

  setMain(figure: string): void {
    if (figure === this.main) return;
    this.main = figure;
    if (!this.sorting) this.reload();
  }

  private reload(): void {
    this.lists.clear();
    this.pending.clear();
    this.matches = null;
    this.error = '';
    if (this.words || this.flat) void this.load(FOUND, 0);
    else for (const row of [this.root, ...this.opened]) void this.load(row, 0);
    this.changed();
  }

  async reveal(row: number): Promise<void> {
    if (this.flat || this.words) return;
    const part = await fetchJson<TreePart>('api/tree/' + this.view, { ...this.query, row, limit: 1 }, this.life.signal);
    for (const one of part.above ?? []) {
      if (one.row === row) continue;
      this.opened.add(one.row);
      if (!this.lists.has(one.row)) await this.load(one.row, 0);
    }
    this.changed();
  }

  private async load(list: number, offset: number): Promise<void> {
    const key = list + ':' + offset;
    if (this.pending.has(key)) return;
    this.pending.add(key);
    this.busy = true;
    const { key: word, up } = this.sorting ?? { key: `${this.folds ? 'total' : 'own'}:${this.main}`, up: false };
    const [by, sort] = word.split(':');
    const order: Query = { sort: sort ?? 'name', by: by === 'own' ? 'own' : null, up: up ? 1 : null };
    const which: Query = list === FOUND ? { q: this.words || '/./' } : list === this.root ? {} : { row: list };
    try {
      const part = await fetchJson<TreePart>('api/tree/' + this.view, { ...this.query, ...which, ...order, offset, limit: PART }, this.life.signal);
      if (this.pending.has(key)) this.take(list, part);
      this.error = '';
    } catch (error) {
      if (this.life.signal.aborted) return;
      this.error = (error as Error).message;
    }
    this.pending.delete(key);
    this.busy = this.pending.size > 0;
    this.changed();
  }

  private take(list: number, part: TreePart): void {
    if (list === this.root) {
      this.part = part;
      this.rowsInAll = part.rows_in_all;
      if (part.root) {
        this.root = part.root.row;
        this.known.set(part.root.row, part.root);
      }
      if (!this.opened.size) this.opened.add(this.root);
    }
    if (list === FOUND) this.matches = this.words ? part.count : null;
    const kept = this.lists.get(list) ?? { count: part.count, rows: [] };
    kept.count = part.count;
    part.rows.forEach((row, k) => {
      this.known.set(row.row, row);
      if (list !== FOUND) this.parents.set(row.row, list);
      kept.rows[part.offset + k] = row.row;
    });
    this.lists.set(list, kept);
    if (!this.hasText && part.rows.some((row) => row.text)) {
      this.hasText = true;
      this.setFigures(this.figures);
    }
  }

  protected list(): number[] {
    this.gaps = [];
    const out: number[] = [], append = (list: number) => {
      const { count, rows } = this.lists.get(list) ?? { count: 0, rows: [] };
      const part: number[] = [];
      for (let k = 0; k < count && out.length + part.length < MOST_ROWS; ++k) part.push(rows[k] ?? -this.gaps.push({ list, index: k }));
      return part;
    };
    if (this.words || this.flat) return append(FOUND);
    const stack = this.folds && this.known.has(this.root) ? [this.root] : append(this.root).reverse();
    while (stack.length && out.length < MOST_ROWS) {
      const row = stack.pop()!;
      out.push(row);
      if (row >= 0 && this.opened.has(row)) for (const below of append(row).reverse()) stack.push(below);
    }
    return out;
  }

  override need(from: number, to: number): void {
    const shown = this.visible();
    for (let k = from; k < to; ++k) {
      const gap = (shown[k] ?? 0) < 0 ? this.gaps[-shown[k]! - 1] : undefined;
      if (gap) void this.load(gap.list, gap.index - gap.index % PART);
    }
  }

  override details(row: number): RowDetail[] {
    const known = this.known.get(row);
    if (!known) return [];
    const out: [string, string | undefined][] = [['op', known.type], ['device', known.device], ['shape', known.shape],
      ['file', known.file && `${known.file}:${known.line}`], ['function', known.function]];
    return out.flatMap(([title, text]) => (text ? [{ title, text }] : []));
  }

  override code(row: number): CodeLine | null {
    const known = this.known.get(row);
    return known?.file ? { file: known.file, line: known.line ?? 0, function: known.function, text: known.text } : null;
  }

  nodeType(row: number): string | undefined { return this.known.get(row)?.type; }

  async flame(row: number, figure: string, finest: number, signal?: AbortSignal): Promise<FlameGraph> {
    const flame = await fetchJson<FlameData>('api/flame/' + this.view, { ...this.query, row: row || null, figure, finest }, signal);
    return largestFirst({ ...flame, above: flame.above?.map((one) => ({ ...one, label: shortRoot(one.label) })), labels: flame.labels.map(shortRoot) });
  }
}
