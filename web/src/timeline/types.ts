// The answers of api/timeline.

export interface Bars {
  row: number[];
  start: number[];
  length: number[];
  count: number[];
  busy: number[];
  name: number[];
  node: (number | null)[];
}

export interface Lane { id: number; process: string; name: string; rows: number; bars: Bars }

export interface TimelineAnswer {
  step: number | null;      // null: a whole capture
  steps: number[];
  from: number;
  to: number;
  span: number;
  events: number;
  lanes: Lane[];
  names: string[];
  arrows: [fromLane: number, from: number, toLane: number, to: number, fromRow?: number, toRow?: number][];
  arrows_in_window?: number;
  memory: { device: string; allocator: string | null; times: number[]; bytes: number[] }[];
}

export interface Hit { lane: number; row: number; start: number; length: number; name: string }
export interface FindAnswer { count: number; found: Hit[] }

// One bar of an answer: its lane (index in lanes) and its index in the lane's bars.
export interface BarRef { lane: number; bar: number }

export interface BarData extends Hit { laneName: string; count: number; busy: number; node: number | null }

export function barData(answer: TimelineAnswer, ref: BarRef): BarData {
  const lane = answer.lanes[ref.lane]!, { bars } = lane, k = ref.bar;
  return {
    lane: lane.id, laneName: lane.name ? `${lane.process} · ${lane.name}` : lane.process, row: bars.row[k]!, start: bars.start[k]!, length: bars.length[k]!, count: bars.count[k]!,
    busy: bars.busy[k]!, name: answer.names[bars.name[k]!] ?? '', node: bars.node[k] ?? null,
  };
}
