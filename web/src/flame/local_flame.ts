// A flame graph of rows that are in the page, as the server would send it: what is too fine to be seen is left out.
import type { LocalTree } from '../tree/local_tree';
import { above, type FlameGraph } from '../tree/model';

const MOST_LEVELS = 400;

// How wide a row is. Of comparisons the last input counts, or the first.
function weigher(tree: LocalTree, figure: string): (row: number) => number {
  const { comparison, view, columns } = tree.view;
  if (comparison) {
    const f = comparison.figures.indexOf(figure), input = tree.wideAsFirst ? 0 : comparison.inputs.length - 1;
    return (row) => Math.max(0, Number(comparison.cells[f]?.[row]?.[input]?.[1] ?? 0));
  }
  const c = columns.findIndex((column) => column.name === figure), part = view === 'op' ? 'own' : 'total';
  return (row) => Math.max(0, Number((row === 0 && tree.first ? tree.view.total : tree.view[part])[c]?.[row] ?? 0));
}

export function localFlame(tree: LocalTree, top: number, figure: string, finest: number): FlameGraph {
  const weight = weigher(tree, figure), { rows } = tree, comparison = tree.view.comparison;
  const f = comparison?.figures.indexOf(figure) ?? -1, last = (comparison?.inputs.length ?? 1) - 1;
  const out: FlameGraph = { figure, total: weight(top), above: above(tree, top).slice(0, -1), rows: [], depths: [], labels: [], totals: [], left_out: [] };
  if (comparison) Object.assign(out, { differences: [], growths: [] });
  const least = weight(top) * finest, stack: [number, number][] = [[top, 0]];
  while (stack.length) {
    const [row, depth] = stack.pop()!;
    const below = Array.from(rows.childrenOf(row)).filter((k) => weight(k) > 0).sort((a, b) => weight(b) - weight(a) || a - b);
    const seen = depth + 1 < MOST_LEVELS ? below.filter((k) => weight(k) >= least) : [];
    out.rows.push(row);
    out.depths.push(depth);
    out.labels.push(rows.label(row));
    out.totals.push(weight(row));
    out.left_out.push(below.slice(seen.length).reduce((sum, k) => sum + weight(k), 0));
    if (comparison) {
      const raw = comparison.difference[f]?.[row] ?? null, cells = comparison.cells[f]?.[row];
      const larger = Math.max(Number(cells?.[0]?.[1] ?? 0), Number(cells?.[last]?.[1] ?? 0));
      out.differences!.push(raw === null ? null : Number(raw));
      out.growths!.push(larger > 0 ? Number(raw ?? 0) / larger : 0);
    }
    for (let k = seen.length - 1; k >= 0; --k) stack.push([seen[k]!, depth + 1]);
  }
  return out;
}
