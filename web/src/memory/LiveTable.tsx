// What was live at a moment, tensor by tensor; the server sorts, filters and cuts it into pages.
import { useEffect, useState } from 'preact/hooks';
import { fetchJson, useApi, type Query } from '../api';
import { SaveMenu } from '../components/SaveMenu';
import { Shown } from '../components/Status';
import { momentLabel } from '../draw/label';
import { exact, grouped, readable, shareOf } from '../format';
import { setLinks, useLink, useLinkNumber } from '../link';
import { codeLine, LIVE_COLUMNS, liveSheet, serverSort, SORTED_HERE, sortTensors, splitName } from './live_sheet';
import type { LiveAnswer, Tensor } from './types';
import { useSettled } from './use_settled';

const PAGE = 25;
const MOST_SAVED = 100_000;

export interface LiveQuery { run: string; step: number | null; device: string; allocator: string | null }

// All of them, a part at a time.
async function everything(query: Query): Promise<Tensor[]> {
  const tensors: Tensor[] = [];
  for (let more = 1; more > 0 && tensors.length < MOST_SAVED;) {
    const part = await fetchJson<LiveAnswer>('api/memory/live', { ...query, offset: tensors.length, limit: SORTED_HERE }, undefined, false);
    tensors.push(...part.tensors);
    more = part.tensors.length ? part.count - tensors.length : 0;
  }
  return tensors;
}

function Row({ tensor, total, span }: { tensor: Tensor; total: number; span: number }) {
  const [path, last] = splitName(tensor.name);
  const code = codeLine(tensor);
  const missing = <span class="missing">n/a</span>;
  return (
    <tr>
      <td class="name-cell" title={tensor.name}>
        <bdi><span class="path">{path}</span>{last}</bdi>{tensor.output ? ':' + tensor.output : ''}
        {tensor.type && tensor.type !== last && <small class="soft"> <bdi>{tensor.type}</bdi></small>}
      </td>
      <td class="n" title={exact('bytes', tensor.bytes)}>{readable('bytes', tensor.bytes)} <small class="soft">{shareOf(tensor.bytes, total)}</small></td>
      <td class="code short">{tensor.shape ?? missing}</td>
      <td class="short">{tensor.dtype ?? missing}</td>
      <td class="short">{tensor.class ?? missing}</td>
      <td class="n" title={exact('time', tensor.birth)}>{tensor.birth === null ? <span class="missing">before the records</span> : momentLabel(tensor.birth, span)}</td>
      <td class="n" title={exact('time', tensor.death)}>{tensor.death === null ? <span class="missing">not released</span> : momentLabel(tensor.death, span)}</td>
      <td class="code" title={tensor.file ? `${tensor.file}:${tensor.line ?? '?'} ${tensor.function ?? ''}` : undefined}>{code ?? missing}</td>
    </tr>
  );
}

function Heads({ sort, up }: { sort: string; up: boolean }) {
  const turn = (key: string, number: boolean) => {
    const flips = sort === key && up === !number;
    setLinks({ sort: key === 'bytes' ? null : key, up: (flips ? number : !number) ? '1' : null, page: null });
  };
  return (
    <tr>
      {LIVE_COLUMNS.map(({ key, title, number }) => (
        <th scope="col" class={number ? 'n' : ''} aria-sort={sort === key ? (up ? 'ascending' : 'descending') : undefined}>
          <button type="button" onClick={() => turn(key, number ?? false)}>{title}</button>
        </th>
      ))}
    </tr>
  );
}

function Pages({ page, count }: { page: number; count: number }) {
  const pages = Math.ceil(count / PAGE);
  if (pages < 2) return null;
  const go = (next: number) => setLinks({ page: next > 1 ? next : null });
  return (
    <div class="pages">
      <button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>← Previous</button>
      <span>{(page - 1) * PAGE + 1} to {Math.min(count, page * PAGE)} of {count}</span>
      <button type="button" disabled={page >= pages} onClick={() => go(page + 1)}>Next →</button>
    </div>
  );
}

export function LiveTable({ query, at, peak, span }: { query: LiveQuery; at: number | null; peak: number | null; span: number }) {
  const [words] = useLink('q');
  const [sort] = useLink('sort', 'bytes');
  const [turned] = useLink('up');
  const [page] = useLinkNumber('page', 1);
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  const settled = useSettled(typed, 250);
  useEffect(() => { if (settled === typed && settled !== words) setLinks({ q: settled, page: null }); }, [settled]);
  const moment = useSettled(at, 120);
  const up = turned === '1', order = serverSort(sort, up);
  const asked = { ...query, at: moment, q: words, sort: order ?? 'bytes' };
  const first = (page - 1) * PAGE;
  const answer = useApi<LiveAnswer>('api/memory/live', { ...asked, ...(order ? { offset: first, limit: PAGE } : { limit: SORTED_HERE }) });
  const rowsOf = (live: LiveAnswer) => (order ? live.tensors : sortTensors(live.tensors, sort, up).slice(first, first + PAGE));
  const when = at ?? answer.data?.at ?? peak;
  const title = when === null ? 'Live at the peak' : `Live at ${momentLabel(when, span)}${at === null ? ', the peak' : ''}`;
  const all = async () => liveSheet(await everything(asked));
  return (
    <section class="panel live" aria-label="Live tensors">
      <div class="tools">
        <h2>{title}</h2>
        {at !== null && <button type="button" onClick={() => setLinks({ at: null, page: null })}>Go to the peak</button>}
        <input type="search" aria-label="Filter live tensors by name" placeholder="Filter by name" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <span class="grow" />
        <SaveMenu title={title} sheet={all} />
      </div>
      <Shown answer={answer}>{(live) => (
        <>
          <p class="soft small" role="status">
            {grouped(live.count)} tensors{words ? ` match, ${readable('bytes', live.matched_bytes)}` : ''}; {readable('bytes', live.bytes)} live in all, {readable('bytes', live.not_attributed)} of it not attributed to any tensor{order === null && live.count > SORTED_HERE ? `; sorted among the ${grouped(SORTED_HERE)} largest` : ''}
          </p>
          <div class="scroll" role="region" aria-label="Live tensors, table" tabIndex={0}>
            <table class="plain">
              <thead><Heads sort={sort} up={up} /></thead>
              <tbody>
                {rowsOf(live).map((tensor, k) => <Row key={k} tensor={tensor} total={live.bytes} span={span} />)}
                {live.tensors.length === 0 && <tr><td colSpan={LIVE_COLUMNS.length} class="soft">{words ? 'No live tensor has that in its name.' : 'No tensor is recorded as live then.'}</td></tr>}
              </tbody>
            </table>
          </div>
          <Pages page={page} count={order ? live.count : Math.min(live.count, SORTED_HERE)} />
        </>
      )}</Shown>
    </section>
  );
}
