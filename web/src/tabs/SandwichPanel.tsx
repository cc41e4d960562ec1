// All rows of one name together: above what they are called by, below what they call.
import { type Query, useApi } from '../api';
import { Chart } from '../components/Chart';
import { Shown } from '../components/Status';
import { Flame } from '../flame/Flame';
import { flameSvg } from '../flame/flame_svg';
import { exact, readable } from '../format';
import { setLinks } from '../link';
import { useDark } from '../theme';
import type { FlameData, RunInfo, Sandwich } from '../types';

export function SandwichPanel({ run, view, name, figure, options }: { run: RunInfo; view: string; name: string; figure: string; options: Query }) {
  const answer = useApi<Sandwich>('api/sandwich/' + view, { run: run.id, ...options, name, figure });
  const unit = run.columns.find((column) => column.name === figure)?.unit ?? 'count', dark = useDark();
  const say = (n: number) => `${readable(unit, n)} (${exact(unit, n)})`;
  const part = (title: string, flame: FlameData) => {
    const graph = { ...flame, figure, total: flame.totals[0] ?? 0 };
    const sheet = () => ({ heads: ['depth', 'label', figure], rows: flame.labels.map((label, k) => [flame.depths[k]!, label, flame.totals[k]!]) });
    return (
      <Chart title={title} sheet={sheet} picture={() => flameSvg(graph, dark, say)}>
        {flame.labels.length > 1 ? <Flame flame={graph} label={title} say={say} crumbs={false} onZoom={() => undefined} /> : <p class="soft">None.</p>}
      </Chart>
    );
  };
  return (
    <section class="panel sandwich" aria-label={'Callers and callees of ' + name}>
      <div class="tools">
        <h2>{name}</h2>
        {answer.data && <span class="soft">{answer.data.rows.toLocaleString('en')} rows, own {readable(unit, answer.data.own)}, in all {readable(unit, answer.data.total)}</span>}
        <span class="grow" />
        <button type="button" onClick={() => setLinks({ name: null }, true)}>Close</button>
      </div>
      <Shown answer={answer}>{(data) => <>{part('Callers: what it is part of', data.callers)}{part('Callees: what is part of it', data.callees)}</>}</Shown>
    </section>
  );
}
