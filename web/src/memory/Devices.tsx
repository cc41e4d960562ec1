// Which device and allocator is looked at: those of accelerators first, the host's apart from them.
import { exact, readable } from '../format';
import { deviceNames, isHost } from './names';
import type { DeviceLine } from './types';

const MOST_BUTTONS = 10;

interface Props {
  devices: DeviceLine[];
  device: string;
  allocator: string | null;
  onPick: (line: DeviceLine) => void;
}

export function Devices({ devices, device, allocator, onPick }: Props) {
  const names = deviceNames(devices);
  const most = Math.max(1, ...devices.map((line) => line.peak_bytes ?? 0));
  const order = devices.map((_, index) => index).sort((a, b) => Number(isHost(devices[a]!.device)) - Number(isHost(devices[b]!.device)));
  const chosen = devices.findIndex((line) => line.device === device && line.allocator === allocator);
  const label = (index: number) => `${names[index]} · ${devices[index]!.allocator ?? 'allocator not recorded'}`;
  if (devices.length > MOST_BUTTONS) {
    return (
      <label>Device <select value={String(chosen)} onChange={(event) => onPick(devices[Number(event.currentTarget.value)]!)}>
        {order.map((index) => <option value={String(index)}>{label(index)} · {readable('bytes', devices[index]!.peak_bytes)}</option>)}
      </select></label>
    );
  }
  return (
    <div class="devices" role="group" aria-label="Device and allocator">
      {order.map((index) => {
        const line = devices[index]!;
        return (
          <button type="button" aria-pressed={index === chosen} title={`${line.device}\npeak ${exact('bytes', line.peak_bytes)}, ${line.evidence}`} onClick={() => onPick(line)}>
            <b>{names[index]}</b>
            <small>{line.allocator ?? 'allocator not recorded'} · {readable('bytes', line.peak_bytes)}</small>
            <span class="meter"><i style={{ width: (100 * (line.peak_bytes ?? 0)) / most + '%' }} /></span>
          </button>
        );
      })}
    </div>
  );
}
