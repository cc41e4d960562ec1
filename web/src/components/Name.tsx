// A name of any length: its beginning and end are read, the whole of it is in the tooltip and is what gets copied.
import { middle } from '../format';

export function Name({ text, most = 60 }: { text: string; most?: number }) {
  return <span class="name" title={text}>{middle(text, most)}</span>;
}
