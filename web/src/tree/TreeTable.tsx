// The table of a tree. Only the rows in sight are in the document, so that a hundred thousand rows scroll as well as
// ten. Keys: up, down, left, right as in any tree; Enter zooms the flame graph; Home, End, Page Up, Page Down.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Sorting, type TreeColumn, type TreeModel, useModel } from './model';
import { TreeHead } from './TreeHead';
import { TreeRowView } from './TreeRowView';

export const ROW_HEIGHT = 28;
const OVERSCAN = 12;
const WIDTHS = { figure: 104, compared: 148, shared: 148, signed: 200, text: 180 };

interface Props {
  model: TreeModel;
  label: string;
  chosen: number;
  onChoose: (row: number) => void;
  onZoom: (row: number) => void;
  onSort: (sorting: Sorting | null) => void;
}

export function TreeTable({ model, label, chosen, onChoose, onZoom, onSort }: Props) {
  useModel(model);
  const host = useRef<HTMLDivElement>(null), [sight, setSight] = useState({ top: 0, height: 400, width: 900 });
  const look = () => {
    const box = host.current;
    if (box) setSight({ top: box.scrollTop, height: box.clientHeight, width: box.clientWidth });
  };
  useEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(host.current!);
    return () => watcher.disconnect();
  }, []);
  const rows = model.visible();
  const from = Math.max(0, Math.min(Math.floor(sight.top / ROW_HEIGHT) - OVERSCAN, rows.length - 1));
  const to = Math.min(rows.length, from + Math.ceil(sight.height / ROW_HEIGHT) + 2 * OVERSCAN);
  useEffect(() => model.need(from, to));

  // What was chosen elsewhere, as in the flame graph, is brought into sight.
  const position = chosen >= 0 ? rows.indexOf(chosen) : -1;
  useLayoutEffect(() => {
    const box = host.current!;
    if (position < 0) return;
    const top = position * ROW_HEIGHT, seen = box.clientHeight - 3 * ROW_HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + seen) box.scrollTop = top - seen;
  }, [position, chosen]);

  const key = (event: KeyboardEvent) => {
    const next = keyRow(model, rows, position, event.key, Math.max(1, Math.floor(sight.height / ROW_HEIGHT) - 3));
    if (event.key === 'Enter' && chosen >= 0) onZoom(chosen);
    else if (next === undefined) return;
    event.preventDefault();
    if (next !== undefined && next >= 0) onChoose(next);
  };
  const narrow = sight.width < 600, columns = narrow ? narrowColumns(model.columns) : model.columns;
  const figures = columns.map((c) => (c.signed ? WIDTHS.signed : c.whole ? WIDTHS.shared : c.key.startsWith('input') ? WIDTHS.compared : WIDTHS.figure));
  const fixed = figures.reduce((sum, w) => sum + w, 0) + model.texts.length * WIDTHS.text;
  const name = Math.max(narrow ? 150 : Math.min(560, Math.max(300, sight.width * 0.36)), sight.width - fixed - 2);
  return (
    <div class="tree" ref={host} onScroll={look}>
      <table role="treegrid" aria-label={label} aria-rowcount={rows.length} tabIndex={0} onKeyDown={key}
             aria-activedescendant={position >= from && position < to ? 'row-' + chosen : undefined} style={{ width: fixed + name + 'px' }}>
        <colgroup>
          <col style={{ width: name + 'px' }} />
          {figures.map((width) => <col style={{ width: width + 'px' }} />)}
          {model.texts.map(() => <col style={{ width: WIDTHS.text + 'px' }} />)}
        </colgroup>
        <TreeHead model={model} columns={columns} onSort={onSort} />
        <tbody>
          <tr class="space" aria-hidden="true"><td style={{ height: from * ROW_HEIGHT + 'px' }} /></tr>
          {rows.slice(from, to).map((row, k) => (
            <TreeRowView key={row} model={model} columns={columns} inset={narrow ? 8 : 15} row={row} index={from + k} chosen={row === chosen} width={name} onChoose={onChoose} onZoom={onZoom} />
          ))}
          <tr class="space" aria-hidden="true"><td style={{ height: (rows.length - to) * ROW_HEIGHT + 'px' }} /></tr>
        </tbody>
      </table>
    </div>
  );
}

// Where there is little room, what matters most comes first: differences, and figures with what is below a row.
function narrowColumns(columns: TreeColumn[]): TreeColumn[] {
  const figures = [...new Set(columns.map((c) => c.figure))];
  return figures.flatMap((figure) => {
    const own = columns.filter((c) => c.figure === figure);
    return [...own.filter((c) => c.signed || c.whole), ...own.filter((c) => !c.signed && !c.whole)];
  });
}

// The row that a key leads to; undefined: the key is none of ours.
function keyRow(model: TreeModel, rows: number[], at: number, key: string, page: number): number | undefined {
  const last = rows.length - 1, row = rows[at] ?? -1;
  const jump: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + page, PageUp: at - page };
  if (key in jump) return rows[Math.max(0, Math.min(last, jump[key]!))];
  if (row < 0 || !['ArrowRight', 'ArrowLeft'].includes(key)) return undefined;
  const opens = model.hasChildren(row), open = model.isOpen(row);
  if (key === 'ArrowRight') {
    if (!opens) return row;
    if (open) return rows[at + 1];
    model.toggle(row);
    return row;
  }
  if (opens && open) {
    model.toggle(row);
    return row;
  }
  const parent = model.parent(row);
  return rows.includes(parent) ? parent : row;
}
