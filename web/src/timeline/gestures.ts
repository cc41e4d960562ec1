// What pointers do to a canvas over time: the wheel zooms at the pointer, a drag moves, two fingers pinch, a drag with Shift
// measures, a click picks.
import type { Range } from '../draw/scale';
import { moveBy, zoomAt } from './view';

export interface Surface {
  view(): Range;
  span(): number;
  width(): number;
  setView(view: Range): void;
  scrollBy?(pixels: number): void;
  pick?(x: number, y: number): void;
  open?(x: number, y: number): void;                        // a double click
  hover?(x: number | null, y: number): void;
  measure?(range: Range | null): void;
}

const CLICK = 4;
const WHEEL = 0.0022;

interface Press { x: number; y: number; startX: number; startY: number; moved: boolean }

// Listens until the function that is returned is called.
export function listen(element: HTMLElement, surface: Surface): () => void {
  const pressed = new Map<number, Press>();
  let anchor: number | null = null;                         // where a measurement began
  const timeAt = (x: number) => surface.view().from + (x / surface.width()) * (surface.view().to - surface.view().from);
  const spot = (event: MouseEvent): [number, number] => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const wheel = (event: WheelEvent) => {
    const [x] = spot(event), view = surface.view(), span = surface.span();
    const scale = event.deltaMode === 1 ? 16 : 1;
    const across = event.shiftKey ? event.deltaY || event.deltaX : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (across) {
      event.preventDefault();
      surface.setView(moveBy(view, (across * scale * (view.to - view.from)) / surface.width(), span));
      return;
    }
    // All in sight already: let the page scroll.
    if (event.deltaY > 0 && view.to - view.from >= span && !event.ctrlKey) return;
    event.preventDefault();
    surface.setView(zoomAt(view, timeAt(x), Math.exp(event.deltaY * scale * WHEEL * (event.ctrlKey ? 4 : 1)), span));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const [x, y] = spot(event);
    pressed.set(event.pointerId, { x, y, startX: x, startY: y, moved: false });
    if (event.shiftKey && surface.measure) anchor = timeAt(x);
    element.setPointerCapture(event.pointerId);
  };
  const pinch = (press: Press, x: number) => {
    const other = [...pressed.values()].find((one) => one !== press)!;
    const before = Math.abs(press.x - other.x), after = Math.abs(x - other.x);
    if (before > 8 && after > 8) surface.setView(zoomAt(surface.view(), timeAt((x + other.x) / 2), before / after, surface.span()));
  };
  const move = (event: PointerEvent) => {
    const [x, y] = spot(event), press = pressed.get(event.pointerId);
    if (!press) { surface.hover?.(x, y); return; }
    if (Math.hypot(x - press.startX, y - press.startY) > CLICK) press.moved = true;
    if (press.moved) {
      const view = surface.view();
      if (anchor !== null) surface.measure!({ from: anchor, to: timeAt(x) });
      else if (pressed.size === 2) pinch(press, x);
      else {
        surface.setView(moveBy(view, ((press.x - x) * (view.to - view.from)) / surface.width(), surface.span()));
        if (event.pointerType === 'mouse') surface.scrollBy?.(press.y - y);
      }
    }
    [press.x, press.y] = [x, y];
  };
  const up = (event: PointerEvent) => {
    const press = pressed.get(event.pointerId);
    pressed.delete(event.pointerId);
    if (press && !press.moved && event.type === 'pointerup') {
      if (anchor !== null) surface.measure?.(null);
      else surface.pick?.(press.x, press.y);
    }
    anchor = null;
  };
  const leave = () => surface.hover?.(null, 0);
  const double = (event: MouseEvent) => surface.open?.(...spot(event));
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('dblclick', double);
  return () => {
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('dblclick', double);
  };
}
