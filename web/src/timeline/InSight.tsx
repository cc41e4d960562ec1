// What is in sight as a table: for screen readers, for saving, and for whoever likes numbers.
import { useMemo } from 'preact/hooks';
import { Name } from '../components/Name';
import { Table, type TableCol } from '../components/Table';
import { momentLabel } from '../draw/label';
import type { Range } from '../draw/scale';
import { exact, grouped, readable } from '../format';
import { setLinks, useLink } from '../link';
import { barsInSight, type SightRow } from './in_sight';
import type { BarRef, TimelineAnswer } from './types';

const MOST = 500;

export function InSight({ answer, view, onPick }: { answer: TimelineAnswer; view: Range; onPick: (ref: BarRef, answer: TimelineAnswer) => void }) {
  const [shown] = useLink('table');
  const open = shown === '1';
  const { from, to } = view;
  const { rows, count } = useMemo(() => (open ? barsInSight(answer, { from, to }, MOST) : { rows: [], count: 0 }), [open, answer, from, to]);
  const columns = useMemo<TableCol<SightRow>[]>(() => [
    { title: 'name', class: 'name-cell', value: (row) => row.name, show: (row) => <Name text={row.name} /> },
    { title: 'lane', value: (row) => row.laneName },
    { title: 'start', number: true, value: (row) => row.start, show: (row) => momentLabel(row.start, to - from), hint: (row) => exact('time', row.start) },
    { title: 'length', number: true, value: (row) => row.length, show: (row) => readable('time', row.length), hint: (row) => exact('time', row.length) },
    { title: 'executions', number: true, value: (row) => row.count, show: (row) => grouped(row.count) },
    { title: 'busy', number: true, value: (row) => row.busy, show: (row) => readable('time', row.busy), hint: (row) => exact('time', row.busy) },
  ], [from, to]);
  return (
    <section class="panel" aria-label="Table of what is in sight">
      <details open={open} onToggle={(event) => { if (event.currentTarget.open !== open) setLinks({ table: event.currentTarget.open ? '1' : null }); }}>
        <summary>What is in sight, as a table</summary>
        {open && (
          <>
            <p class="soft small">{grouped(count)} bars between {momentLabel(from, to - from)} and {momentLabel(to, to - from)}{count > MOST ? `; the ${MOST} longest are listed` : ''}.</p>
            <Table title="Timeline in sight" columns={columns} rows={rows} most={50} onPick={(row) => onPick(row.ref, answer)} />
          </>
        )}
      </details>
    </section>
  );
}
