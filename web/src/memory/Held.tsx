// What a step does not give back, and its largest work space: from the memory report.
import { Name } from '../components/Name';
import { Table, type TableCol } from '../components/Table';
import { exact, readable } from '../format';
import { setLinks } from '../link';
import type { Block, Blocks, DeviceReport } from './types';

const COLUMNS: TableCol<Block>[] = [
  { title: 'name', class: 'name-cell', value: (row) => row.name, show: (row) => <Name text={row.name} /> },
  { title: 'op', value: (row) => row.op },
  { title: 'size', number: true, value: (row) => row.bytes, show: (row) => readable('bytes', row.bytes), hint: (row) => exact('bytes', row.bytes) },
  { title: 'since', number: true, value: (row) => row.begin_micros, show: (row) => readable('time', row.begin_micros), hint: (row) => exact('time', row.begin_micros) },
  { title: 'until', number: true, value: (row) => row.end_micros, show: (row) => (row.end_micros === null ? <span class="missing">not released</span> : readable('time', row.end_micros)) },
  { title: 'blocks', number: true, value: (row) => row.count },
];

function List({ title, blocks, none, note }: { title: string; blocks: Blocks | null | undefined; none: string; note: string }) {
  if (!blocks) return <div><h3>{title}</h3><p class="soft">Not recorded.</p></div>;
  if (!blocks.count) return <div><h3>{title}</h3><p class="soft">{none}</p></div>;
  return (
    <div>
      <Table heading title={title} columns={COLUMNS} rows={blocks.largest} onPick={(row) => setLinks({ at: row.begin_micros, page: null }, true)} />
      <p class="soft small">{readable('bytes', blocks.bytes)} in {blocks.count} blocks in all{blocks.largest.length < blocks.count ? `; the largest are listed` : ''}. {note}</p>
    </div>
  );
}

export function Held({ report, step }: { report: DeviceReport; step: number | null }) {
  return (
    <section class="panel" aria-label="Held and temporary memory">
      <div class="tools"><h2>What stays, what comes and goes</h2>{step !== null && <span class="soft small">step {step}</span>}</div>
      <div>
        <List title="Leak candidates: still held at the end" blocks={report.still_held} none="Nothing that the step allocated is still held at its end."
              note="Variables assigned anew, fetched results and queues belong here rightly; what grows from step to step does not." />
        <List title="Largest temporary allocations" blocks={report.temporaries} none="No temporary allocation is recorded."
              note="Work space: released by the time its op had ended." />
      </div>
    </section>
  );
}
