// Bytes over time, as a curve that holds its value until the next change.
import { useMemo } from 'preact/hooks';
import { PlotChart } from '../plot/PlotChart';
import type { Series } from '../types';

export function SeriesBlock({ title, series }: { title: string; series: Series }) {
  const { xs, ys } = useMemo(() => {
    const points = [...series.points];
    const last = points[points.length - 1], span = Number(series.span);
    if (last && Number(last[0]) < span) points.push([span, last[1]]);  // it holds to the end
    return { xs: points.map((p) => Number(p[0])), ys: points.map((p) => Number(p[1])) };
  }, [series]);
  return (
    <PlotChart title={title || 'Bytes over time'} xs={xs} xUnit="time" unit="bytes" lines={[{ title: 'bytes', values: ys, stepped: true, filled: true }]}
               marks={series.mark === undefined || series.mark === null ? [] : [{ x: Number(series.mark), title: 'peak' }]}
               note={series.exact === false ? 'Stretches with more changes than can be seen show their largest value.' : undefined} />
  );
}
