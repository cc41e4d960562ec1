// State that lives in the address. useLink is useState whose value is a part of the link.
import { useEffect, useState } from 'preact/hooks';
import { formatPlace, parsePlace, tabAddress, type Place } from './router';

const WRITE_AFTER_MS = 150;  // browsers refuse addresses that change too often, as while dragging

let place: Place = parsePlace(typeof location === 'undefined' ? '' : location.hash);
const listeners = new Set<() => void>();
let writing: ReturnType<typeof setTimeout> | undefined;

function tell(): void {
  for (const listener of [...listeners]) listener();
}

// Where an address cannot be set (a page inside a notebook), the state lives on without it.
function write(push: boolean): void {
  clearTimeout(writing);
  writing = undefined;
  const address = formatPlace(place);
  if (address === location.hash) return;
  try {
    if (push) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  } catch { /* said above */ }
}

if (typeof window !== 'undefined') {
  const read = () => {
    clearTimeout(writing);
    place = parsePlace(location.hash);
    tell();
  };
  addEventListener('hashchange', read);
  addEventListener('popstate', read);
}

export function currentPlace(): Place { return place; }

// Sets several values at once; an empty one leaves the address. push: Back returns to where it was before.
export function setLinks(changes: Record<string, string | number | null | undefined>, push = false): void {
  if (push && writing !== undefined) write(false);
  const values = { ...place.values };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') delete values[key];
    else values[key] = String(value);
  }
  place = { tab: place.tab, values };
  if (push) {
    write(true);
  } else {
    clearTimeout(writing);
    writing = setTimeout(() => write(false), WRITE_AFTER_MS);
  }
  tell();
}

export function openTab(tab: string, more: Record<string, string> = {}): void {
  if (writing !== undefined) write(false);
  place = parsePlace(tabAddress(place, tab, more));
  write(true);
  tell();
}

// Another run in the same tab: what the address says of the old one's rows and moments goes.
const OF_ANY_RUN = ['view', 'figure', 'report', 'by'];

export function openRun(id: string): void {
  if (writing !== undefined) write(false);
  const values: Record<string, string> = { run: id };
  for (const key of OF_ANY_RUN) if (place.values[key] !== undefined) values[key] = place.values[key]!;
  place = { tab: place.tab, values };
  write(true);
  tell();
}

export function usePlace(): Place {
  const [seen, see] = useState(place);
  useEffect(() => {
    const listener = () => see(place);
    listeners.add(listener);
    listener();  // it may have moved between drawing and now
    return () => { listeners.delete(listener); };
  }, []);
  return seen;
}

// [value, set]: set(value) changes the address in place, set(value, true) makes a step that Back undoes. A value equal
// to the default is not in the address.
export function useLink(key: string, fallback = ''): [string, (value: string | number | null, push?: boolean) => void] {
  const value = usePlace().values[key] ?? fallback;
  const set = (next: string | number | null, push = false) =>
    setLinks({ [key]: next === null || String(next) === fallback ? null : next }, push);
  return [value, set];
}

// The same as a number; NaN where the address has none and there is no default.
export function useLinkNumber(key: string, fallback = NaN): [number, (value: number | null, push?: boolean) => void] {
  const [text, set] = useLink(key);
  const value = text === '' || !Number.isFinite(Number(text)) ? fallback : Number(text);
  return [value, (next, push = false) => set(next === null || Number.isNaN(next) || next === fallback ? null : next, push)];
}
