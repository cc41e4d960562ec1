// A table that sorts, filters and can be saved. A click on a head sorts by it, a second one turns the order round, a
// third restores it.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { SaveMenu } from './SaveMenu';
import type { Value } from './save';

export interface TableCol<Row> {
  title: string;
  number?: boolean;                                // right-aligned, the largest first
  code?: boolean;
  value: (row: Row) => Value;                      // what sorting, CSV and JSON take
  show?: (row: Row) => ComponentChildren;          // what is seen; the value where it is left out
  hint?: (row: Row) => string;                     // the exact value, as a tooltip
  class?: string;
}

interface Props<Row> {
  title: string;                                   // names the table for screen readers and saved files
  columns: TableCol<Row>[];
  rows: Row[];
  sums?: number;                                   // so many of the last rows are totals and stay last
  heading?: boolean;                               // shows the title above
  onPick?: (row: Row) => void;                     // Enter or a click on a row
  picked?: (row: Row) => boolean;
  indent?: (row: Row) => number;                   // rows of trees: how deep; sorting flattens them
  most?: number;                                   // rows shown before "show all"
}

const FILTER_FROM = 16;
const LONG = 44;  // letters; longer texts are broken anywhere

function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

export function Table<Row>({ title, columns, rows, sums = 0, heading = false, onPick, picked, indent, most = 200 }: Props<Row>) {
  const [sorting, setSorting] = useState<{ column: number; up: boolean } | null>(null);
  const [word, setWord] = useState('');
  const [all, setAll] = useState(false);

  const body = useMemo(() => {
    const moving = rows.slice(0, rows.length - sums), needle = word.toLowerCase();
    const left = needle ? moving.filter((row) => columns.some((c) => String(c.value(row) ?? '').toLowerCase().includes(needle))) : moving;
    if (!sorting) return left;
    const { value } = columns[sorting.column]!, sign = sorting.up ? 1 : -1;
    return [...left].sort((x, y) => {
      const a = value(x), b = value(y);
      if (a === null || b === null) return Number(a === null) - Number(b === null);  // what is not known comes last
      return sign * compare(a, b);
    });
  }, [rows, columns, sums, sorting, word]);

  const turn = (column: number) => {
    const first = !columns[column]!.number;
    setSorting(sorting?.column !== column ? { column, up: first } : sorting.up === first ? { column, up: !first } : null);
  };
  const shown = all ? body : body.slice(0, most);
  const draw = (row: Row, key: number, sum: boolean) => (
    <tr key={key} class={(sum ? 'sum ' : '') + (picked?.(row) ? 'chosen' : '')} tabIndex={onPick ? 0 : undefined}
        onClick={onPick && (() => onPick(row))}
        onKeyDown={onPick && ((event: KeyboardEvent) => { if (event.key === 'Enter') onPick(row); })}>
      {columns.map((c, k) => (
        <td class={(c.number ? 'n ' : String(c.value(row) ?? '').length > LONG ? 'long ' : '') + (c.code ? 'code ' : '') + (c.class ?? '')} title={c.hint?.(row)} data-v={c.number ? c.value(row) ?? undefined : undefined}
            style={k === 0 && indent && !sorting ? { paddingLeft: 10 + 16 * Math.min(indent(row), 12) + 'px' } : undefined}>
          {c.show ? c.show(row) : c.value(row) === null ? <span class="missing">n/a</span> : String(c.value(row))}
        </td>
      ))}
    </tr>
  );

  return (
    <div class="table-box">
      <div class={heading || rows.length >= FILTER_FROM ? 'tools filled' : 'tools'}>
        {heading && <h3>{title}</h3>}
        {rows.length >= FILTER_FROM && (
          <input type="search" aria-label={'Filter ' + title} placeholder={`Filter ${rows.length - sums} rows`} value={word}
                 onInput={(event) => setWord(event.currentTarget.value)} />
        )}
        <span class="grow" />
        <SaveMenu title={title} sheet={() => ({ heads: columns.map((c) => c.title), rows: [...body, ...rows.slice(rows.length - sums)].map((row) => columns.map((c) => c.value(row))) })} />
      </div>
      <div class="scroll" role="group" aria-label={title + ', table'} tabIndex={0}>
        <table class="plain">
          <thead>
            <tr>
              {columns.map((c, k) => (
                <th class={c.number ? 'n' : ''} scope="col" aria-sort={sorting?.column === k ? (sorting.up ? 'ascending' : 'descending') : undefined}>
                  {c.title ? <button type="button" onClick={() => turn(k)}>{c.title}</button> : <span class="offscreen">bar</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, k) => draw(row, k, false))}
            {rows.slice(rows.length - sums).map((row, k) => draw(row, -1 - k, true))}
          </tbody>
        </table>
      </div>
      {body.length > shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>Show all {body.length} rows</button>
      )}
      {word && <p class="soft small" role="status">{body.length} of {rows.length - sums} rows</p>}
    </div>
  );
}
