// The answers of api/memory and the parts of the memory report that this tab reads. null: not recorded.

export interface DeviceLine {
  device: string;
  allocator: string | null;
  peak_bytes: number | null;
  evidence: string;
}

export interface Layer {
  name: string;
  bytes: number[];
}

export interface Curve {
  times: number[];
  bytes: number[];
}

export interface LayersAnswer {
  step: number | null;             // null: a whole capture
  steps: number[];
  devices: DeviceLine[];
  device: string;
  allocator: string | null;
  evidence: string;
  by: string;
  from: number;
  to: number;
  begin: number;                   // the first moment that there is
  span: number;                    // and the last
  peak: { bytes: number; micros: number } | null;
  times: number[];
  layers: Layer[];
  total: number[];
  measured: Curve | null;
  capacity: number | null;
  fragmentation: (number | null)[] | null;      // of the free memory, at each time
  exact: boolean;
  notes: string[];
}

export interface Tensor {
  name: string;
  output: number | null;
  type: string | null;
  class: string | null;
  shape: string | null;
  dtype: string | null;
  bytes: number;
  birth: number | null;
  death: number | null;
  file: string | null;
  line: number | null;
  function: string | null;
  scope: string | null;
}

export interface LiveAnswer {
  at: number;
  bytes: number;
  count: number;
  matched_bytes: number;
  not_attributed: number;
  tensors: Tensor[];
}

export interface Block {
  name: string;
  bytes: number;
  begin_micros: number | null;
  end_micros: number | null;
  count: number;
  op: string | null;
}

export interface Blocks {
  bytes: number;
  count: number;
  largest: Block[];
}

export interface DeviceReport {
  device: string;
  allocator: string | null;
  evidence: string;
  peak: { bytes: number; micros: number } | null;
  baseline_bytes: number | null;
  measured_peak: { bytes: number; micros: number } | null;
  attributed_share: number | null;
  notes: string[];
  still_held: Blocks | null;
  temporaries: Blocks | null;
}

export interface GrowthStep {
  step: number;
  peak_bytes: number | null;
  grew_bytes: number | null;
  baseline_bytes: number | null;
  still_held_bytes: number | null;
}

export interface MemoryReport {
  steps?: { step: number; span_micros: number; devices: DeviceReport[] }[];
  growth?: { device: string; allocator: string | null; evidence: string; steps: GrowthStep[] }[];
}

export const NOT_ATTRIBUTED = 'not attributed';

// What the layers may stand for, as the address and the choice name it.
export const GROUPINGS: [string, string][] = [
  ['class', 'tensor class'],
  ['scope', 'scope'],
  ['type', 'op type'],
  ['op', 'op'],
  ['code', 'code line'],
];
