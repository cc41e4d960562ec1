// A table of a document. Bars are shares of the whole column's largest.
import { useMemo } from 'preact/hooks';
import { Table, type TableCol } from '../components/Table';
import type { Cell, TableData } from '../types';
import { cellHint, cellText, cellValue, cellView, isNumber } from './cells';

interface Row { cells: Cell[]; depth: number }

export function TableBlock({ title, table }: { title: string; table: TableData }) {
  const rows = useMemo(() => table.rows.map((cells, k): Row => ({ cells, depth: table.depths?.[k] ?? 0 })), [table]);
  const columns = useMemo(() => table.columns.map((column, c): TableCol<Row> => {
    const bar = column.look === 'bar';
    return {
      title: column.title, number: !bar && (column.look === 'right' || rows.some((row) => isNumber(row.cells[c] ?? null))), code: column.look === 'code',
      class: bar ? 'bar' : undefined,
      value: (row) => cellValue(row.cells[c] ?? null), hint: (row) => cellHint(row.cells[c] ?? null) ?? '',
      show: (row) => (bar ? bars(row.cells[c] ?? null) : cellView(row.cells[c] ?? null)),
    };
  }), [table]);
  return (
    <>
      <Table title={title || 'Table'} heading={false} columns={columns} rows={rows} sums={table.sums ?? 0} indent={table.depths ? (row) => row.depth : undefined} />
      {Boolean(table.left_out) && <p class="soft small">{table.left_out!.toLocaleString('en')} more {table.rest || 'rows'}</p>}
      {table.note && <p class="soft small">{table.note}</p>}
    </>
  );
}

function bars(cell: Cell) {
  const share = cell !== null && typeof cell === 'object' ? cell.share ?? Number(cell.n) : NaN;
  if (!(share > 0)) return null;
  return <i role="img" aria-label={cellText(cell)} style={{ width: Math.min(100, Math.max(0, share * 100)) + '%' }} />;
}
