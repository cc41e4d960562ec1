// Cells of documents: how they read, how exact they are, and what sorting and saved files take of them.
import type { ComponentChildren } from 'preact';
import { Breaks } from '../components/Name';
import type { Value } from '../components/save';
import { exact, grouped, percent, readable } from '../format';
import type { Cell } from '../types';

const LONG = 44;

// null: nothing to compare or to save.
export function cellValue(cell: Cell): Value {
  if (cell === null || typeof cell === 'string') return cell;
  if (cell.n !== undefined) return typeof cell.n === 'string' && Number.isSafeInteger(Number(cell.n)) ? Number(cell.n) : cell.n;
  if (cell.share !== undefined) return cell.share;
  if (cell.flag !== undefined) return cell.flag;
  if (cell.list) return cell.list.map((one) => cellText(one)).join(', ');
  return cell.text ?? cell.words ?? null;
}

export function cellText(cell: Cell): string {
  if (cell === null) return 'n/a';
  if (typeof cell === 'string') return cell;
  if (cell.words !== undefined) return cell.words;
  if (cell.n !== undefined) return readable(cell.u ?? 'plain', cell.n);
  if (cell.share !== undefined) return percent(cell.share);
  if (cell.flag !== undefined) return cell.flag ? 'yes' : 'no';
  if (cell.list) return cell.list.map(cellText).join(', ');
  return cell.text ?? '';
}

export function cellHint(cell: Cell): string | undefined {
  if (cell === null) return 'not recorded';
  if (typeof cell === 'string' || cell.n === undefined) return undefined;
  return cell.u === 'plain' || cell.u === undefined ? grouped(cell.n) : exact(cell.u, cell.n);
}

export function isNumber(cell: Cell): boolean {
  return cell !== null && typeof cell === 'object' && (cell.n !== undefined || cell.share !== undefined);
}

export function cellView(cell: Cell): ComponentChildren {
  if (cell === null) return <span class="missing">n/a</span>;
  if (typeof cell === 'string') return cell.length > LONG ? <Breaks text={cell} /> : cell;
  const text = cellText(cell);
  if (cell.lines) return <span class="lines">{text}</span>;
  return cell.depth ? <span style={{ paddingLeft: cell.depth * 14 + 'px', display: 'inline-block' }}>{text}</span> : text;
}
