// The figures above the chart.
import type { ComponentChildren } from 'preact';
import { momentLabel } from '../draw/label';
import { exact, percent, readable, shareOf } from '../format';
import { EVIDENCE, fragmentation, unnamedAtPeak } from './figures';
import type { DeviceReport, LayersAnswer } from './types';

function Card({ label, value, note, title }: { label: string; value: ComponentChildren; note?: ComponentChildren; title?: string }) {
  return (
    <div class="card" title={title}>
      <div class="label">{label}</div>
      <div class="value">{value}</div>
      {note && <div class="note">{note}</div>}
    </div>
  );
}

// Times of a step of a capture are those of the capture.
function peakNote({ begin, span }: LayersAnswer, micros: number): string {
  const long = span - begin, at = `at ${momentLabel(micros, long)}`;
  return begin > 0 ? `${at}, ${readable('time', micros - begin)} into a step of ${readable('time', long)}` : `${at} of ${readable('time', long)}`;
}

export function Facts({ answer, report }: { answer: LayersAnswer; report: DeviceReport | undefined }) {
  const { peak, capacity } = answer;
  const unnamed = unnamedAtPeak(answer);
  const pieces = fragmentation(answer.fragmentation);
  const measured = report?.measured_peak ?? null;
  const missing = <span class="missing">not recorded</span>;
  return (
    <div class="cards">
      <Card label="Peak" value={peak ? readable('bytes', peak.bytes) : missing} title={peak ? exact('bytes', peak.bytes) : undefined}
            note={peak && peakNote(answer, peak.micros)} />
      <Card label="In use, measured" value={measured ? readable('bytes', measured.bytes) : missing} title={measured ? exact('bytes', measured.bytes) : undefined}
            note={measured && 'at most, by the allocator’s own count'} />
      <Card label="Not attributed" value={unnamed ? readable('bytes', unnamed.bytes) : report?.attributed_share == null ? missing : shareOf(1 - report.attributed_share, 1)}
            note={unnamed ? `${shareOf(unnamed.bytes, unnamed.total)} of the peak` : 'of the peak'} />
      <Card label="Capacity" value={capacity === null ? missing : readable('bytes', capacity)} title={capacity === null ? undefined : exact('bytes', capacity)}
            note={capacity !== null && peak && `${shareOf(peak.bytes, capacity)} used at the peak`} />
      <Card label="Fragmentation" value={pieces === null ? missing : percent(pieces)} note={pieces !== null && 'of the allocator’s free memory, at most'} />
      <Card label="Evidence" value={answer.evidence} note={EVIDENCE[answer.evidence]} />
    </div>
  );
}
