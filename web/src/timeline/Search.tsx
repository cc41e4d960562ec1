// Search in the timeline: a field, how many there are, and steps from hit to hit.
import { useEffect, useState } from 'preact/hooks';
import { useApi } from '../api';
import { grouped } from '../format';
import { setLinks, useLink } from '../link';
import { useSettled } from '../memory/use_settled';
import type { FindAnswer } from './types';

export function Search({ run, step, field, onNext }: {
  run: string;
  step: string;
  field: { current: HTMLInputElement | null };
  onNext: (by: number) => void;
}) {
  const [words] = useLink('q');
  const [typed, setTyped] = useState(words);
  const settled = useSettled(typed, 200);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => { if (settled === typed && settled !== words) setLinks({ q: settled }); }, [settled]);
  const found = useApi<FindAnswer>(words ? 'api/timeline/find' : null, { run, step, q: words, from: 0 });
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setLinks({ q: null });
    if (event.key !== 'Enter') return;
    if (typed !== words) setLinks({ q: typed });
    else onNext(event.shiftKey ? -1 : 1);
  };
  return (
    <div class="tl-search" role="search">
      <input type="search" ref={field} aria-label="Search in the timeline" placeholder="Search names" title="Words, or /a regular expression/" value={typed}
             onInput={(event) => setTyped(event.currentTarget.value)} onKeyDown={keys} />
      {words && (
        <>
          <button type="button" aria-label="Previous hit" title="Previous (Shift+Enter)" disabled={!found.data?.count} onClick={() => onNext(-1)}>↑</button>
          <button type="button" aria-label="Next hit" title="Next (Enter)" disabled={!found.data?.count} onClick={() => onNext(1)}>↓</button>
          <span class="soft small" role="status">{found.error || (found.data ? `${grouped(found.data.count)} found` : '…')}</span>
        </>
      )}
    </div>
  );
}
