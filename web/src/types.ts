// What the server answers: docs/server.md, as types.

// Whole numbers beyond 2^53 are strings of digits.
export type Num = number | string;
export type MaybeNum = Num | null;
export type Unit = 'time' | 'bytes' | 'count';

export interface RunEntry { id: string; name: string; path: string; modified: number; bytes: number }
export interface Runs { version: string; runs: RunEntry[] }

export interface Column { name: string; title: string; unit: Unit; recorded: boolean }
export interface InputFile { path: string; format: string }

export interface RunInfo {
  id: string;
  name: string;
  path: string;
  kinds: string[];
  timeline: boolean;
  steps: number[];
  devices: string[];
  figures: Record<string, MaybeNum>;   // of a mean step, in all
  peak_bytes?: MaybeNum;               // the largest of any device in any step
  columns: Column[];
  inputs: InputFile[];
  warnings: string[];
  notes: string[];
  source?: boolean;                    // source files may be read
}

// Documents.

export type CellUnit = 'count' | 'bytes' | 'time' | 'plain' | 'amount';
export type Cell = null | string | {
  n?: Num;
  u?: CellUnit;
  share?: number;
  flag?: boolean;
  list?: Cell[];
  words?: string;
  text?: string;
  depth?: number;
  lines?: boolean;
};

export interface Fact { title: string; value: Cell; note?: string }
export interface TableColumn { title: string; look: 'left' | 'right' | 'code' | 'bar' }
export interface TableData {
  columns: TableColumn[];
  rows: Cell[][];
  depths?: number[];
  sums?: number;
  left_out?: number;
  rest?: string;
  note?: string;
}
export interface Series { points: [Num, Num][]; span: Num; mark?: Num | null; exact?: boolean }

export interface Block {
  title?: string;
  none?: string;
  facts?: Fact[];
  table?: TableData;
  prose?: string[];
  verbatim?: boolean;
  series?: Series;
  group?: Block[];
  beside?: boolean;
}

export interface Message { warning: boolean; text: string }
export interface PageDocument {
  title: string;
  inputs?: InputFile[];
  warnings?: string[];
  messages?: Message[];
  broken?: boolean;
  problems?: string[];
  options?: Record<string, string>;
  coverage?: Record<string, Num>;
  tool?: string;
  blocks: Block[];
  view?: ViewData;
}

// Views, whole.

export type RowStatus = string;
export interface Comparison {
  inputs: { name: string; source: string; steps: string }[];
  figures: string[];
  status: RowStatus[];
  cells: ([MaybeNum, MaybeNum] | null)[][][];  // per figure, per row, per input
  difference: MaybeNum[][];
  spread?: (MaybeNum[] | null)[] | null;
  was: Record<string, string[]>;
  renames: { from: string; to: string; nodes: number; reason: string }[];
  limits: { text: string; broken_by: string[]; checked: number }[];
}

export interface ViewData {
  view: string;
  hides_root: boolean;
  main: number;
  columns: Column[];
  text_columns: { title: string }[];
  lists: string[];
  depth: number[];
  names: string[];
  own: MaybeNum[][];
  total: MaybeNum[][];
  text: (string | number | null)[][];
  comparison?: Comparison;
}

// Trees in parts.

export type Figures = Record<string, MaybeNum>;
export interface TreeRow {
  row: number;
  name: string;
  label: string;
  children: number;
  depth: number;
  own?: Figures;       // none: the row is there for what is below it
  total: Figures;
  type?: string;
  types?: string[];
  device?: string;
  shape?: string;
  file?: string;
  line?: number;
  function?: string;
  text?: string;
}
export interface RowName { row: number; label: string; name: string }
export interface TreePart {
  rows_in_all: number;
  row: number;
  count: number;
  offset: number;
  grand: Figures;      // of the whole view
  rows: TreeRow[];
  root?: TreeRow;      // the row that was asked for
  above?: RowName[];
}
export interface FlameData {
  figure: string;
  total: Num;
  above?: RowName[];
  rows: (number | null)[];   // null: of several rows
  depths: number[];
  labels: string[];
  totals: Num[];
  left_out: Num[];
}
export interface Sandwich { name: string; rows: number; own: MaybeNum; total: MaybeNum; callers: FlameData; callees: FlameData }

export interface SourceText { file: string; first: number; lines: string[]; from: 'recorded' | 'file' }
