// Requests to the server behind the page. Addresses are relative to the page's own. Answers are kept for a while, so
// that going back and forth asks nothing twice.
import { useEffect, useState } from 'preact/hooks';

export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

const KEPT_ANSWERS = 48, KEPT_LETTERS = 1_000_000;  // large ones are asked again: the server keeps what is dear
const kept = new Map<string, unknown>();

export class ApiError extends Error {
  constructor(message: string, readonly status: number) { super(message); }
}

// Nothing is sent for values that are not set; a list is sent value by value.
export function address(path: string, query: Query = {}): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    if (Array.isArray(value)) for (const one of value) parts.append(key, one);
    else parts.append(key, String(value));
  }
  const text = parts.toString();
  return text ? path + '?' + text : path;
}

// keep false: an answer too large, or too short of life, to be kept.
export async function fetchJson<T>(path: string, query: Query = {}, signal?: AbortSignal, keep = true): Promise<T> {
  const url = address(path, query);
  if (kept.has(url)) return kept.get(url) as T;
  let answer: Response;
  try {
    answer = await fetch(url, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('tfprof does not answer: was it stopped?', 0);
  }
  const text = await answer.text();
  let body: { error?: string } | null = null;
  try {
    body = JSON.parse(text) as { error?: string };
  } catch { /* said below */ }
  if (!answer.ok) throw new ApiError(body?.error ?? `the server answered ${answer.status}`, answer.status);
  if (body === null) throw new ApiError('the answer is no JSON', answer.status);
  if (keep && text.length <= KEPT_LETTERS) kept.set(url, body);
  if (kept.size > KEPT_ANSWERS) kept.delete(kept.keys().next().value!);
  return body as T;
}

export interface Answer<T> { data: T | null; error: string; loading: boolean }

// The answer to a request, asked again when its address changes; path null asks nothing. The last answer stays while
// the next one is under way, so that nothing flickers.
export function useApi<T>(path: string | null, query: Query = {}): Answer<T> {
  const url = path === null ? null : address(path, query);
  const [answer, setAnswer] = useState<Answer<T>>({ data: null, error: '', loading: url !== null });
  useEffect(() => {
    if (url === null) {
      setAnswer({ data: null, error: '', loading: false });
      return undefined;
    }
    const control = new AbortController();
    setAnswer((before) => ({ data: before.data, error: '', loading: true }));
    fetchJson<T>(url, {}, control.signal).then(
      (data) => { if (!control.signal.aborted) setAnswer({ data, error: '', loading: false }); },
      (error: Error) => { if (!control.signal.aborted) setAnswer({ data: null, error: error.message, loading: false }); });
    return () => control.abort();
  }, [url]);
  return answer;
}
