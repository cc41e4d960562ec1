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
