// A comparison as flame graph and tree: orange grew, blue shrank. Used by the tab and by single files.
import { useMemo } from 'preact/hooks';
import { Table } from '../components/Table';
import { exact, num, readable, signed, signedPercent } from '../format';
import { useLink } from '../link';
import { inputTitles } from '../tree/local_columns';
import { LocalTree } from '../tree/local_tree';
import { ViewPanel } from '../tree/ViewPanel';
import type { Comparison, ViewData } from '../types';

export function ComparePanels({ view, title }: { view: ViewData; title: string }) {
  const comparison = view.comparison!;
  const [wide, setWide] = useLink('wide', 'last');
  const figures = comparison.figures.map((name) => view.columns.find((c) => c.name === name) ?? { name, title: name, unit: 'count' as const, recorded: true });
  const model = useMemo(() => {
    // Rows that differ most are opened first.
    const main = Math.max(0, comparison.figures.indexOf(view.columns[view.main]?.name ?? ''));
    return new LocalTree(view, (row) => Math.abs(num(comparison.difference[main]?.[row] ?? 0)), wide === 'first');
  }, [view, wide]);
  const titles = inputTitles(comparison);
  if (!view.names.length) return null;  // what is said above: nothing differs that much
  return (
    <>
      <Totals view={view} comparison={comparison} />
      <ViewPanel model={model} title={title} figures={figures} main={view.columns[view.main]?.name ?? figures[0]?.name ?? ''} flameTools={
        <select aria-label="Widths of the flame graph" value={wide} onChange={(event) => setWide(event.currentTarget.value)}>
          <option value="last">as wide as in {titles[titles.length - 1]}</option>
          <option value="first">as wide as in {titles[0]}</option>
        </select>
      } />
      <Renames comparison={comparison} />
    </>
  );
}

// Each figure in all: of every input, and how the last differs from the first.
function Totals({ view, comparison }: { view: ViewData; comparison: Comparison }) {
  return (
    <div class="cards">
      {comparison.figures.map((figure, f) => {
        const column = view.columns.find((c) => c.name === figure), unit = column?.unit ?? 'count';
        const cells = comparison.cells[f]?.[0] ?? [], difference = comparison.difference[f]?.[0] ?? null, first = num(cells[0]?.[1]);
        const side = num(difference) > 0 ? 'grew' : num(difference) < 0 ? 'shrank' : '';
        return (
          <div class="card" title={exact(unit, difference)}>
            <div class="label">{column?.title ?? figure}</div>
            <div class={'value ' + side}>{signed(unit, difference)} {first ? <small>{signedPercent(num(difference) / first)}</small> : null}</div>
            <div class="note">{inputTitles(comparison).map((title, k) => `${title}: ${readable(unit, cells[k]?.[1] ?? null)}`).join(', ')}</div>
          </div>
        );
      })}
    </div>
  );
}

function Renames({ comparison }: { comparison: Comparison }) {
  if (!comparison.renames?.length) return null;
  return (
    <section class="panel" aria-label="Renamed">
      <h2>Compared under another name</h2>
      <Table title="Renamed" rows={comparison.renames} columns={[
        { title: 'was', code: true, value: (one) => one.from },
        { title: 'is', code: true, value: (one) => one.to },
        { title: 'nodes', number: true, value: (one) => one.nodes },
        { title: 'known by', value: (one) => one.reason },
      ]} />
    </section>
  );
}
