// One row of a tree table.
import { exact, middle, num, percent, readable, signed, signedPercent } from '../format';
import type { TreeColumn, TreeModel } from './model';

const MOST_DEPTH = 24;

// How wide letters are here: fonts differ.
let letter = 0;
function letterPixels(): number {
  if (letter) return letter;
  const sample = 'abcdefghijklmnopqrstuvwxyz_/0123456789', pen = document.createElement('canvas').getContext('2d');
  if (!pen) return 8;
  pen.font = getComputedStyle(document.body).font;
  return (letter = pen.measureText(sample).width / sample.length);
}

interface Props {
  model: TreeModel;
  columns: TreeColumn[];
  inset: number;                 // of each level, in pixels
  row: number;
  index: number;
  chosen: boolean;
  width: number;                 // of the name, in pixels
  onChoose: (row: number) => void;
  onZoom: (row: number) => void;
}

export function TreeRowView({ model, columns, inset: step, row, index, chosen, width, onChoose, onZoom }: Props) {
  if (row < 0) return <tr aria-rowindex={index + 1}><td class="name soft">…</td>{columns.map(() => <td />)}{model.texts.map(() => <td />)}</tr>;
  const depth = model.depth(row), folds = model.hasChildren(row), open = folds && model.isOpen(row);
  const inset = 6 + Math.min(depth, MOST_DEPTH) * step, name = model.name(row);
  return (
    <tr id={'row-' + row} data-row={row} aria-level={depth + 1} aria-rowindex={index + 1} aria-selected={chosen} aria-expanded={folds ? open : undefined}
        class={(chosen ? 'chosen' : '') + (model.isMatch(row) ? '' : ' beside')} onClick={() => onChoose(row)} onDblClick={() => onZoom(row)}>
      <td class="name" title={name} style={{ paddingLeft: inset + 'px' }}>
        {folds ? (
          <button type="button" class="fold" tabIndex={-1} aria-label={open ? 'Fold' : 'Unfold'} title="Fold or unfold (with Alt: everything below)"
                  onClick={(event) => { event.stopPropagation(); model.toggle(row, event.altKey); onChoose(row); }}>{open ? '▼' : '▶'}</button>
        ) : <span class="fold" />}
        <span>{middle(model.label(row), Math.max(12, Math.floor((width - inset - 34) / letterPixels())))}</span>
      </td>
      {columns.map((column, k) => <Figure column={column} row={row} group={k === 0 || columns[k - 1]!.figure !== column.figure} />)}
      {model.texts.map((text) => {
        const value = text.value(row);
        return <td class="group" title={value}>{text.badge && value && value !== 'common' ? <span class={'badge ' + value}>{value}</span> : value}</td>;
      })}
    </tr>
  );
}

function Figure({ column, row, group }: { column: TreeColumn; row: number; group: boolean }) {
  const raw = column.value(row), side = group ? 'n group' : 'n';
  if (raw === null) {
    return <td class={side + ' missing'} title={column.recorded ? 'not recorded for this row, or not counted' : 'not recorded'}>{column.recorded ? '–' : 'n/a'}</td>;
  }
  const value = num(raw), whole = column.whole ? num(column.whole()) : NaN, share = whole ? value / whole : NaN;
  if (column.signed) return <Difference column={column} row={row} side={side} value={value} share={share} />;
  const meter = Number.isFinite(share) && value !== 0;
  return (
    <td class={side + (value === 0 ? ' zero' : '') + (meter ? ' meter' : '')} data-v={raw} title={exact(column.unit, raw)}
        style={meter ? { backgroundSize: Math.min(100, Math.abs(share) * 100) + '% 2px' } : undefined}>
      {readable(column.unit, raw)}{column.whole && <small>{meter ? percent(share) : ''}</small>}
    </td>
  );
}

// A bar to the right of the middle for growth, to the left for what got less: sign, colour and side say the same.
function Difference({ column, row, side, value, share }: { column: TreeColumn; row: number; side: string; value: number; share: number }) {
  const raw = column.value(row)!, spread = column.spread?.(row) ?? null;
  const within = spread !== null && Math.abs(value) <= num(spread);
  const hint = exact(column.unit, raw) + (spread === null ? '' : ` ± ${exact(column.unit, spread)}`) + (within ? ': within what steps differ by' : '');
  return (
    <td class={`${side} difference ${value > 0 ? 'grew' : value < 0 ? 'shrank' : 'zero'}${within ? ' within' : ''}`} data-v={raw} title={hint}>
      {signed(column.unit, raw)}
      <small>{Number.isFinite(share) && value !== 0 ? signedPercent(share) : ''}</small>
      <i aria-hidden="true"><b style={{ width: (column.most ? Math.abs(value) / column.most * 50 : 0) + '%' }} /></i>
    </td>
  );
}
