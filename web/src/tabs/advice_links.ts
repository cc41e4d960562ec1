// Names in a piece of advice that the page can show: op types, scopes, lines of code, nodes.

export interface Piece { text: string; link?: { tab: string; values: Record<string, string> } }

const time = (view: string, q: string) => ({ tab: 'time', values: { view, q } });

// Kinds of names, by what stands before them or by their look. Device names begin with a slash and are none.
const PATTERNS: { pattern: RegExp; link: (name: string) => Piece['link'] }[] = [
  { pattern: /(?<=operation type: )[^\s,]+/y, link: (name) => time('op', name) },
  { pattern: /(?<=\bscope: )[^\s,]+/y, link: (name) => time('scope', name) },
  { pattern: /[\w./<>-]+\.py:\d+(?::[\w<>.]+)?/y, link: (name) => time('code', name) },
  { pattern: /(?<![\w/:.-])[A-Za-z_][\w.-]*(?:\/[\w.()-]*[\w)])+/y, link: (name) => time('graph', name) },
];

export function pieces(line: string): Piece[] {
  const out: Piece[] = [];
  let plain = '';
  for (let at = 0; at < line.length;) {
    const found = PATTERNS.map(({ pattern, link }) => {
      pattern.lastIndex = at;
      const name = pattern.exec(line)?.[0];
      return name ? { text: name, link: link(name) } : null;
    }).find((one) => one !== null);
    if (!found) {
      plain += line[at++];
      continue;
    }
    if (plain) out.push({ text: plain });
    plain = '';
    out.push(found);
    at += found.text.length;
  }
  if (plain) out.push({ text: plain });
  return out;
}

// Where what a checker looks at is seen.
export const CHECKER_TABS: Record<string, { tab: string; title: string; values?: Record<string, string> }> = {
  LongLifeChecker: { tab: 'memory', title: 'Memory' },
  RecomputeChecker: { tab: 'memory', title: 'Memory' },
  IdleGapChecker: { tab: 'timeline', title: 'Timeline' },
  CopyChecker: { tab: 'timeline', title: 'Timeline' },
  ImbalanceChecker: { tab: 'timeline', title: 'Timeline' },
  AcceleratorUtilizationChecker: { tab: 'timeline', title: 'Timeline' },
  ExpensiveOperationChecker: { tab: 'time', title: 'Time' },
  TinyOpChecker: { tab: 'time', title: 'Time', values: { view: 'op' } },
};
