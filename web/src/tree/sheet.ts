// The rows of a tree table that are shown, as a sheet to save.
import type { SheetData } from '../components/SaveMenu';
import type { TreeModel } from './model';

export function treeSheet(model: TreeModel): SheetData {
  const heads = ['name', ...model.columns.map((c) => `${c.figure} ${c.title}`), ...model.texts.map((t) => t.title)];
  const rows = model.visible().filter((row) => row >= 0).map((row) => (
    [model.name(row), ...model.columns.map((c) => c.value(row)), ...model.texts.map((t) => t.value(row))]));
  return { heads, rows };
}
