// Which figures have columns in the table.
import { setLinks } from '../link';
import type { Column } from '../types';

export function ColumnChooser({ figures, shown }: { figures: Column[]; shown: string[] }) {
  const turn = (name: string, on: boolean) => {
    const next = figures.map((column) => column.name).filter((one) => (one === name ? on : shown.includes(one)));
    if (next.length) setLinks({ columns: next.join(',') });
  };
  return (
    <details class="save chooser">
      <summary>Columns</summary>
      <div class="save-items">
        {figures.map((column) => (
          <label><input type="checkbox" checked={shown.includes(column.name)} onChange={(event) => turn(column.name, event.currentTarget.checked)} /> {column.title}</label>
        ))}
      </div>
    </details>
  );
}
