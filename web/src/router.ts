// The address holds the whole state: #/TAB?key=value&… . Here it is read and written as plain data; link.ts ties it to
// the browser and to components.

export interface Place { tab: string; values: Record<string, string> }

export function parsePlace(hash: string): Place {
  const text = hash.replace(/^#\/?/, '');
  const cut = text.indexOf('?');
  const tab = cut < 0 ? text : text.slice(0, cut);
  const values: Record<string, string> = {};
  if (cut >= 0) for (const [key, value] of new URLSearchParams(text.slice(cut + 1))) values[key] = value;
  return { tab: decode(tab), values };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // a half-typed escape is no reason to fail
  }
}

// Keys are in order, so that the same state always has the same address. Slashes stay readable: names are full of them.
export function formatPlace({ tab, values }: Place): string {
  const parts = Object.keys(values).sort()
    .map((key) => encodeURIComponent(key) + '=' + encodeURIComponent(values[key] ?? '').replace(/%2F/g, '/').replace(/%3A/g, ':'));
  return '#/' + encodeURIComponent(tab) + (parts.length ? '?' + parts.join('&') : '');
}

// What goes along when another tab is opened: which run, and which step of it.
const CARRIED = ['run', 'step'];

export function tabAddress(place: Place, tab: string, more: Record<string, string> = {}): string {
  const values: Record<string, string> = {};
  for (const key of CARRIED) if (place.values[key] !== undefined) values[key] = place.values[key]!;
  return formatPlace({ tab, values: { ...values, ...more } });
}
