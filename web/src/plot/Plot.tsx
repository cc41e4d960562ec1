// Curves, drawn by uPlot: the value under the pointer or under the arrow keys is read beside it.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { exact, readable } from '../format';
import { cssColor, seriesColor, useDark } from '../theme';
import type { MaybeNum, Unit } from '../types';

export interface Line { title: string; values: MaybeNum[]; stepped?: boolean; filled?: boolean; color?: string }
export interface Mark { x: number; title: string }
export interface PlotData {
  xs: number[];
  xUnit: Unit;
  xNames?: string[];          // of points that are no numbers, as runs
  unit: Unit;
  lines: Line[];
  marks?: Mark[];
}
interface Props extends PlotData {
  title: string;
  height?: number;
  onPick?: (index: number) => void;
}

const KEYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 };

export function Plot({ title, height = 220, onPick, ...data }: Props) {
  const host = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null), dark = useDark();
  const [at, setAt] = useState<{ index: number; left: number } | null>(null);
  useEffect(() => {
    const box = host.current!;
    const made = new uPlot(options(data, box.clientWidth, height, dark, (u) => {
      const index = u.cursor.idx;
      setAt(index === null || index === undefined || (u.cursor.left ?? -1) < 0 ? null : { index, left: (u.cursor.left ?? 0) + u.bbox.left / devicePixelRatio });
    }), [data.xs, ...data.lines.map((line) => line.values.map((v) => (v === null ? null : Number(v))))] as uPlot.AlignedData, box);
    plot.current = made;
    const watcher = new ResizeObserver(() => { if (box.clientWidth && box.clientWidth !== made.width) made.setSize({ width: box.clientWidth, height }); });
    watcher.observe(box);
    return () => { watcher.disconnect(); made.destroy(); };
  }, [data.xs, data.lines, dark, height]);

  const move = (event: KeyboardEvent) => {
    const u = plot.current, step = KEYS[event.key];
    if (event.key === 'Enter' && at && onPick) return void onPick(at.index);
    if (!u || step === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(data.xs.length - 1, (at?.index ?? -1) + step));
    u.setCursor({ left: u.valToPos(data.xs[index]!, 'x'), top: u.bbox.height / devicePixelRatio / 2 });
  };
  const width = host.current?.clientWidth ?? 0;
  return (
    <div class="plot" ref={host} tabIndex={0} role="img" aria-label={`${title}: ${data.xs.length} points; arrow keys read them`} onKeyDown={move}
         onClick={() => { if (at && onPick) onPick(at.index); }}>
      {at && (
        <div class="plot-tip" role="status" style={at.left > width / 2 ? { right: width - at.left + 10 + 'px', top: '6px' } : { left: at.left + 10 + 'px', top: '6px' }}>
          <b>{data.xNames?.[at.index] ?? exact(data.xUnit, data.xs[at.index]!)}</b>
          {data.lines.map((line, k) => (
            <div title={exact(data.unit, line.values[at.index] ?? null)}>
              {data.lines.length > 1 && <><i style={{ background: line.color ?? seriesColor(k, dark) }} />{line.title}: </>}
              {readable(data.unit, line.values[at.index] ?? null)} <span class="soft">{exact(data.unit, line.values[at.index] ?? null)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function options(data: PlotData, width: number, height: number, dark: boolean, moved: (u: uPlot) => void): uPlot.Options {
  const soft = cssColor('--soft'), grid = { stroke: cssColor('--line'), width: 1 };
  const xName = (v: number) => (data.xNames ? (Number.isInteger(v) ? data.xNames[data.xs.indexOf(v)] ?? '' : '') : readable(data.xUnit, v));
  return {
    width, height, legend: { show: false }, cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: false }, y: { range: (_u, _min, max) => [0, max > 0 ? max * (data.marks?.length ? 1.16 : 1.06) : 1] } },
    axes: [
      { stroke: soft, grid, ticks: grid, values: (_u, splits) => splits.map(xName), space: data.xNames ? 70 : 90 },
      { stroke: soft, grid, ticks: grid, values: (_u, splits) => splits.map((v) => readable(data.unit, v)), size: 78 },
    ],
    series: [{}, ...data.lines.map((line, k): uPlot.Series => {
      const stroke = line.color ?? seriesColor(k, dark);
      return {
        label: line.title, stroke, width: 1.6, fill: line.filled ? stroke + '33' : undefined, spanGaps: false,
        points: { show: data.xs.length < 60, size: 6 }, paths: line.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
      };
    })],
    hooks: { setCursor: [moved], draw: [(u) => drawMarks(u, data.marks ?? [])] },
  };
}

function drawMarks(u: uPlot, marks: Mark[]): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = cssColor('--grow');
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const mark of marks) {
    const x = u.valToPos(mark.x, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = x > bbox.left + bbox.width - 60 * devicePixelRatio ? 'right' : 'left';
    ctx.fillText(mark.title, x + (ctx.textAlign === 'right' ? -5 : 5) * devicePixelRatio, bbox.top + 13 * devicePixelRatio);
  }
  ctx.restore();
}
