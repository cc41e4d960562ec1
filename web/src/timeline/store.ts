// What the server has sent: the whole step once, coarsely, and the part in sight as finely as it can be seen. One request
// is under way at a time; when it is answered, what is in sight by then decides on the next.
import type { Range } from '../draw/scale';
import { covers, isStale, wanted, type Loaded } from './view';
import type { TimelineAnswer } from './types';

export type Ask = (from: number | null, to: number | null, pixels: number, signal: AbortSignal) => Promise<TimelineAnswer>;

export class Store {
  whole: TimelineAnswer | null = null;
  error = '';
  private part: TimelineAnswer | null = null;
  private loaded: Loaded | null = null;
  private view: Range | null = null;
  private pixels = 0;
  private underWay = false;
  private readonly control = new AbortController();

  constructor(private readonly ask: Ask, private readonly changed: () => void) {}

  get loading(): boolean { return this.underWay; }

  // The finest that covers a window; the whole step where nothing finer does.
  answerFor(view: Range): TimelineAnswer | null {
    return this.part && this.loaded && covers(this.loaded, view) ? this.part : this.whole;
  }

  // Says what is in sight. Cheap: call it for every move. null: the whole step.
  show(view: Range | null, pixels: number): void {
    this.view = view;
    this.pixels = pixels;
    void this.next();
  }

  stop(): void { this.control.abort(); }

  private async next(): Promise<void> {
    if (this.underWay || this.error || this.pixels <= 0) return;
    const { whole, view, pixels } = this;
    if (whole && (!view || !this.needsPart(view, pixels))) return;
    const ask = whole && view ? wanted(view, pixels, whole.span) : null;
    this.underWay = true;
    try {
      const answer = await this.ask(ask?.from ?? null, ask?.to ?? null, ask?.pixels ?? pixels, this.control.signal);
      if (ask) [this.part, this.loaded] = [answer, ask];
      else [this.whole, this.wholePixels] = [answer, pixels];
    } catch (error) {
      if (this.control.signal.aborted) return;
      this.error = (error as Error).message;
    } finally {
      this.underWay = false;
    }
    this.changed();
    void this.next();
  }

  private wholePixels = 0;

  private needsPart(view: Range, pixels: number): boolean {
    const span = this.whole!.span;
    if (!isStale({ from: 0, to: span, pixels: this.wholePixels }, view, pixels)) {
      this.part = this.loaded = null;
      return false;
    }
    return isStale(this.loaded, view, pixels);
  }
}
