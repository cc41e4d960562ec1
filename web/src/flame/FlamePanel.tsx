// A flame graph of a tree, with its tools: which figure, zoom, pictures to save.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Chart } from '../components/Chart';
import { Busy, Failure } from '../components/Status';
import { exact, readable, signed } from '../format';
import { useDark } from '../theme';
import { type FlameGraph, pattern, type TreeModel } from '../tree/model';
import type { Column } from '../types';
import { Flame } from './Flame';
import { flameSvg } from './flame_svg';

const FINEST = 0.0006;  // of what is shown: about a pixel

interface Props {
  model: TreeModel;
  title: string;
  figures: Column[];
  figure: string;
  setFigure: (name: string) => void;
  zoom: number;
  onZoom: (row: number) => void;
  chosen: number;
  onChoose: (row: number) => void;
  words: string;
  tools?: ComponentChildren;
}

export function FlamePanel({ model, title, figures, figure, setFigure, zoom, onZoom, chosen, onChoose, words, tools }: Props) {
  const dark = useDark();
  const [flame, setFlame] = useState<FlameGraph | null>(null), [error, setError] = useState('');
  useEffect(() => {
    const control = new AbortController();
    model.flame(zoom, figure, FINEST, control.signal).then(
      (answer) => { if (!control.signal.aborted) { setFlame(answer); setError(''); } },
      (failed: Error) => { if (!control.signal.aborted) { setFlame(null); setError(failed.message); } });
    return () => control.abort();
  }, [model, zoom, figure]);
  const matches = useMemo(() => (words ? pattern(words) : null), [words]);
  const name = figure, unit = figures.find((column) => column.name === name)?.unit ?? 'count';
  const say = (total: number) => (Math.abs(total) < 1000 ? exact(unit, total) : `${readable(unit, total)} (${exact(unit, total)})`);
  const sheet = () => ({
    heads: ['row', 'depth', 'label', name, ...(flame?.differences ? ['difference'] : [])],
    rows: (flame?.rows ?? []).map((row, k) => [row ?? null, flame!.depths[k]!, flame!.labels[k]!, flame!.totals[k]!, ...(flame!.differences ? [flame!.differences[k]!] : [])]),
  });
  return (
    <Chart title={title} sheet={flame ? sheet : undefined} picture={flame ? () => flameSvg(flame, dark, say) : undefined} tools={
      <>
        <select aria-label="Figure of the flame graph" value={name} onChange={(event) => setFigure(event.currentTarget.value)}>
          {figures.map((column) => <option value={column.name} disabled={!column.recorded}>by {column.title}{column.recorded ? '' : ' (not recorded)'}</option>)}
        </select>
        {tools}
        {zoom > 0 && <button type="button" title="Show everything (Escape in the graph)" onClick={() => onZoom(0)}>Reset zoom</button>}
      </>
    }>
      {error ? <Failure text={error} /> : !flame ? <Busy /> : (
        <>
          {flame.differences && <Legend />}
          <Flame flame={flame} label={title} say={say} sayDifference={(n) => `${signed(unit, n)} (${exact(unit, n)})`} chosen={chosen} matches={matches} onZoom={onZoom} onChoose={onChoose} />
        </>
      )}
    </Chart>
  );
}

function Legend() {
  return (
    <div class="legend">
      <span><i style={{ background: 'var(--shrink-back)' }} />got less (−)</span>
      <span><i style={{ background: 'var(--line)' }} />as before</span>
      <span><i style={{ background: 'var(--grow-back)' }} />grew (+)</span>
    </div>
  );
}
