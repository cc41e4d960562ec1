// Curves in their frame: with a title, and a menu that saves them.
import type { ComponentChildren } from 'preact';
import { Chart } from '../components/Chart';
import { useDark } from '../theme';
import { Plot, type PlotData } from './Plot';
import { plotSvg } from './plot_svg';

export function PlotChart({ title, note, height, onPick, ...data }: PlotData & { title: string; note?: ComponentChildren; height?: number; onPick?: (index: number) => void }) {
  const dark = useDark();
  const sheet = () => ({
    heads: [data.xNames ? 'run' : data.xUnit === 'time' ? 'micros' : 'x', ...data.lines.map((line) => line.title)],
    rows: data.xs.map((x, k) => [data.xNames?.[k] ?? x, ...data.lines.map((line) => line.values[k] ?? null)]),
  });
  return (
    <Chart title={title} note={note} sheet={sheet} picture={() => plotSvg(data, title, dark)}>
      <Plot title={title} height={height} onPick={onPick} {...data} />
    </Chart>
  );
}
