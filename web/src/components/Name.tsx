// A name of any length: its beginning and end are read, the whole of it is in the tooltip and is what gets copied.
import { middle } from '../format';

// A long text that may be broken behind its slashes.
export function Breaks({ text }: { text: string }) {
  return <>{text.split(/(?<=\/)/).map((part, k) => <>{k > 0 && <wbr />}{part}</>)}</>;
}

export function Name({ text, most = 60 }: { text: string; most?: number }) {
  return <span class="name" title={text}>{middle(text, most)}</span>;
}
