// All inputs: date, steps, time, peak. Each is loaded when its turn comes, so that many do not block the page; one that
// cannot be read says why.
import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../api';
import { Table, type TableCol } from '../components/Table';
import { date, exact, num, readable } from '../format';
import { openRun } from '../link';
import { PlotChart } from '../plot/PlotChart';
import type { MaybeNum, RunEntry, RunInfo, Unit } from '../types';

interface Row { entry: RunEntry; info: RunInfo | null; error: string }

const FIGURES: { title: string; unit: Unit; of: (info: RunInfo) => MaybeNum }[] = [
  { title: 'time of a step', unit: 'time', of: (info) => info.figures.micros ?? null },
  { title: 'peak of memory', unit: 'bytes', of: (info) => info.peak_bytes ?? info.figures.peak_bytes ?? null },
  { title: 'parameters', unit: 'count', of: (info) => info.figures.params ?? null },
  { title: 'float ops', unit: 'count', of: (info) => info.figures.float_ops ?? null },
];
const MOST_LOADED = 200;  // the rest when it is opened

function useRows(runs: RunEntry[]): Row[] {
  const [rows, setRows] = useState<Row[]>(runs.map((entry) => ({ entry, info: null, error: '' })));
  useEffect(() => {
    const control = new AbortController();
    void (async () => {
      for (const entry of runs.slice(0, MOST_LOADED)) {
        let change: Partial<Row>;
        try {
          change = { info: await fetchJson<RunInfo>('api/run', { run: entry.id }, control.signal) };
        } catch (error) {
          if (control.signal.aborted) return;
          change = { error: (error as Error).message };
        }
        setRows((before) => before.map((row) => (row.entry === entry ? { ...row, ...change } : row)));
      }
    })();
    return () => control.abort();
  }, [runs]);
  return rows;
}

const COLUMNS: TableCol<Row>[] = [
  { title: 'run', value: (row) => row.entry.name, show: (row) => <><b title={row.entry.path}>{row.entry.name}</b>{row.error && <div class="failure">{row.error}</div>}</> },
  { title: 'date', value: (row) => row.entry.modified, show: (row) => date(row.entry.modified), class: 'nowrap' },
  { title: 'size', number: true, value: (row) => row.entry.bytes, show: (row) => readable('bytes', row.entry.bytes), hint: (row) => exact('bytes', row.entry.bytes) },
  { title: 'steps', value: (row) => row.info?.steps.join(', ') ?? null, show: (row) => (row.info ? row.info.steps.slice(0, 6).join(', ') + (row.info.steps.length > 6 ? `, … (${row.info.steps.length})` : '') : row.error ? '' : '…') },
  ...FIGURES.map((figure): TableCol<Row> => ({
    title: figure.title, number: true,
    value: (row) => (row.info ? figure.of(row.info) : null),
    show: (row) => (!row.info ? '' : figure.of(row.info) === null ? <span class="missing">n/a</span> : readable(figure.unit, figure.of(row.info))),
    hint: (row) => (row.info ? exact(figure.unit, figure.of(row.info)) : ''),
  })),
];

export function RunList({ runs, chosen }: { runs: RunEntry[]; chosen: string }) {
  const rows = useRows(runs);
  const known = rows.filter((row) => row.info).sort((a, b) => a.entry.modified - b.entry.modified || a.entry.name.localeCompare(b.entry.name, 'en', { numeric: true }));
  const loading = rows.slice(0, MOST_LOADED).some((row) => !row.info && !row.error);
  return (
    <>
      <section class="panel all-runs" aria-label="All runs">
        <h2>{runs.length} runs</h2>
        <Table title="Runs" columns={COLUMNS} rows={rows} onPick={(row) => openRun(row.entry.id)} picked={(row) => row.entry.id === chosen} />
      </section>
      {!loading && known.length > 1 && <History rows={known} />}
    </>
  );
}

function History({ rows }: { rows: Row[] }) {
  const xs = rows.map((_, k) => k), names = rows.map((row) => row.entry.name);
  const figures = FIGURES.filter((figure) => rows.filter((row) => num(figure.of(row.info!)) > 0).length > 1);
  if (!figures.length) return null;
  return (
    <details class="about" open>
      <summary>How the runs developed, oldest first</summary>
      <div class="histories">
        {figures.map((figure) => {
          const values = rows.map((row) => figure.of(row.info!));
          return <PlotChart title={figure.title} xs={xs} xNames={names} xUnit="count" unit={figure.unit} lines={[{ title: figure.title, values }]} height={170}
                            onPick={(k) => openRun(rows[k]!.entry.id)} />;
        })}
      </div>
    </details>
  );
}
