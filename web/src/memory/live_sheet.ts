// The columns of what was live at a moment: what the server sorts by, and what is saved.
import type { Value } from '../components/save';
import type { Tensor } from './types';

export interface LiveColumn { key: string; title: string; number?: boolean }

export const LIVE_COLUMNS: LiveColumn[] = [
  { key: 'name', title: 'name' },
  { key: 'bytes', title: 'size', number: true },
  { key: 'shape', title: 'shape' },
  { key: 'dtype', title: 'data type' },
  { key: 'class', title: 'class' },
  { key: 'birth', title: 'born', number: true },
  { key: 'death', title: 'released', number: true },
  { key: 'file', title: 'code' },
];

const HEADS: (keyof Tensor)[] = ['name', 'output', 'type', 'class', 'shape', 'dtype', 'bytes', 'birth', 'death', 'file', 'line', 'function', 'scope'];

// The server sorts by size and by name; anything else is sorted here, among so many of the largest.
export const SORTED_HERE = 5000;

export function serverSort(sort: string, up: boolean): 'bytes' | 'name' | null {
  if (sort === 'bytes' && !up) return 'bytes';
  return sort === 'name' && up ? 'name' : null;
}

// What is not known comes last either way.
export function sortTensors(tensors: Tensor[], sort: string, up: boolean): Tensor[] {
  const sign = up ? 1 : -1;
  return [...tensors].sort((x, y) => {
    const a = x[sort as keyof Tensor] ?? null, b = y[sort as keyof Tensor] ?? null;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));
  });
}

export function liveSheet(tensors: Tensor[]): { heads: string[]; rows: Value[][] } {
  return { heads: HEADS, rows: tensors.map((tensor) => HEADS.map((head) => tensor[head] ?? null)) };
}

// The last part of a name, and what is before it.
export function splitName(name: string): [string, string] {
  const cut = name.lastIndexOf('/', name.length - 2);
  return [name.slice(0, cut + 1), name.slice(cut + 1)];
}

export function codeLine(tensor: Tensor): string | null {
  if (!tensor.file) return null;
  return tensor.file.split('/').pop() + (tensor.line === null ? '' : ':' + tensor.line);
}
