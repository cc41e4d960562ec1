// The columns of a view whose rows are in the page: figures of their own and with what is below them, or, of a
// comparison, of each input and how they differ.
import type { Comparison, MaybeNum, ViewData } from '../types';
import type { TextColumn, TreeColumn } from './model';

interface Host { readonly view: ViewData; readonly first: number }

export function makeColumns(host: Host): { columns: TreeColumn[]; texts: TextColumn[] } {
  const { view } = host;
  const texts = makeTexts(view);
  if (!view.comparison) return { columns: viewColumns(host), texts };
  return { columns: comparisonColumns(view, view.comparison), texts: [...comparisonTexts(view.comparison), ...texts] };
}

// Texts that many rows share are listed once.
function makeTexts(view: ViewData): TextColumn[] {
  return (view.text_columns ?? []).map((column, c) => {
    const cells = view.text[c] ?? [];
    return { key: 'text:' + c, title: column.title, value: (row) => {
      const cell = cells[row];
      return (typeof cell === 'number' ? view.lists[cell] : cell) ?? '';
    } };
  });
}

export function wholeOf(view: ViewData, column: number): MaybeNum {
  return view.total[column]?.[0] ?? null;
}

function viewColumns({ view }: Host): TreeColumn[] {
  const flat = view.view === 'op';  // of op types their own figures matter, the others accumulate down the list
  return view.columns.flatMap((column, c) => (['own', 'total'] as const).map((part): TreeColumn => ({
    key: `${part}:${column.name}`, figure: column.name, heading: column.title, unit: column.unit, recorded: column.recorded,
    title: part === 'own' ? 'own' : flat ? 'accumulated' : 'total',
    value: (row) => view[part][c]?.[row] ?? null,
    whole: (part === 'own') === flat ? () => wholeOf(view, c) : undefined,
  })));
}

function comparisonColumns(view: ViewData, comparison: Comparison): TreeColumn[] {
  const last = comparison.inputs.length - 1;
  const main = view.columns[view.main]?.name, order = [...comparison.figures].sort((a, b) => Number(b === main) - Number(a === main));
  return order.flatMap((figure) => {
    const f = comparison.figures.indexOf(figure);
    const column = view.columns.find((one) => one.name === figure);
    const base = { figure, heading: column?.title ?? figure, unit: column?.unit ?? 'count', recorded: column?.recorded ?? true } as const;
    const total = (row: number, input: number) => comparison.cells[f]?.[row]?.[input]?.[1] ?? null;
    const titles = inputTitles(comparison), most = (comparison.difference[f] ?? []).reduce((a: number, b) => Math.max(a, Math.abs(Number(b ?? 0))), 0);
    const out: TreeColumn[] = comparison.inputs.map((_, k) => (
      { ...base, key: `input${k}:${figure}`, title: titles[k]!, value: (row: number) => total(row, k) }));
    out.push({
      ...base, key: `difference:${figure}`, title: 'difference', signed: true, most, value: (row) => comparison.difference[f]?.[row] ?? null,
      spread: (row) => comparison.spread?.[f]?.[row] ?? null, whole: last > 0 ? () => total(0, 0) : undefined,
    });
    return out;
  });
}

// What inputs are called: the end of where they are, where that tells them apart.
export function inputTitles(comparison: Comparison): string[] {
  const ends = comparison.inputs.map((input) => {
    const end = input.source.replace(/\/+$/, '').split('/').pop() ?? '';
    const [name = '', step] = end.split('@step=');
    return step ? `${name}, step ${step}` : name;
  });
  return new Set(ends).size === ends.length && ends.every(Boolean) ? ends : comparison.inputs.map((input) => input.name);
}

function comparisonTexts(comparison: Comparison): TextColumn[] {
  const out: TextColumn[] = [{ key: 'status', title: 'status', badge: true, value: (row) => comparison.status[row] ?? '' }];
  if (Object.keys(comparison.was ?? {}).length) {
    out.push({ key: 'was', title: 'was', value: (row) => (comparison.was[row] ?? []).filter(Boolean).join(', ') });
  }
  return out;
}
