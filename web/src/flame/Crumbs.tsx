// The path from the root to what is zoomed: each part zooms to itself.
import { middle } from '../format';
import type { RowName } from '../types';

const MOST = 12;

export function Crumbs({ path, onPick }: { path: RowName[]; onPick: (row: number) => void }) {
  const shown: (RowName | null)[] = path.length > MOST ? [...path.slice(0, 2), null, ...path.slice(-8)] : path;
  return (
    <div class="crumbs" role="group" aria-label="Path of the zoom">
      {shown.map((one, k) => (
        <>
          {k > 0 && <span aria-hidden="true">›</span>}
          {one ? <button type="button" title={one.name || one.label} onClick={() => onPick(one.row)}>{middle(one.label, 40)}</button> : <span>…</span>}
        </>
      ))}
    </div>
  );
}
