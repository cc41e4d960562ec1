// What devices and layers are called and coloured here.
import { otherColor, seriesColor } from '../theme';
import { NOT_ATTRIBUTED, type DeviceLine, type Layer } from './types';

// Classes keep their colour whatever else is there.
const CLASSES = ['activations', 'parameters', 'gradients', 'optimizer', 'temporary', 'outputs', 'other state'];

// The end of a device's name, where it says what it is: GPU:0 of /job:…/device:GPU:0.
export function shortDevice(device: string): string {
  const tail = device.split('/').pop() ?? device;
  return tail.replace(/^device:/i, '') || device;
}

// Short names, or whole ones where the short ones are not distinct.
export function deviceNames(devices: DeviceLine[]): string[] {
  const short = devices.map((line) => shortDevice(line.device) + '\0' + line.allocator);
  const distinct = new Set(short).size === short.length;
  return devices.map((line) => (distinct ? shortDevice(line.device) : line.device));
}

// A capture of a profiler: its steps lie on one clock, and can be seen together.
export function isCapture(run: { inputs: { format: string }[] }): boolean {
  return run.inputs.some((input) => input.format === 'XPlane');
}

export function isHost(device: string): boolean {
  return /cpu|host/i.test(shortDevice(device));
}

// What a layer is called in short: a line of code without the folders of its file.
export function layerLabel(name: string, by: string): string {
  const line = by === 'code' ? /([^/\\]+:\d+(?::.*)?)$/.exec(name) : null;
  return line ? line[1]! : name;
}

export function isRest(name: string): boolean {
  return /^\(?[\d,]+ others?\)?$/.test(name) || name === 'others' || name === 'other';
}

// Hands out colours in the order that names come up, and the same one to the same name ever after: zooming changes which
// layers are there, not what they look like.
export class ColorBook {
  private readonly known = new Map<string, number>(CLASSES.map((name, index) => [name, index]));
  private next: number;

  constructor(by: string) {
    if (by !== 'class') this.known.clear();
    this.next = this.known.size;
  }

  index(name: string): number {
    let index = this.known.get(name);
    if (index === undefined) this.known.set(name, index = this.next++);
    return index;
  }

  colors(layers: Layer[], dark: boolean): string[] {
    return layers.map(({ name }) => (name === NOT_ATTRIBUTED || isRest(name) ? otherColor(dark) : seriesColor(this.index(name), dark)));
  }
}
