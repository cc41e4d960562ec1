'use strict';
// The rows of a report as a tree that folds, sorts and filters. Rows arrive parents first, with their depth; nothing
// here recurses, so a chain of a hundred thousand rows is as good as any other tree.

const MATCH = 1, ABOVE_MATCH = 2, BELOW_MATCH = 3;
const ROWS_AT_FIRST = 40;

class Tree {
  constructor(report) {
    this.report = report;
    this.size = report.names.length;
    this.first = report.hides_root ? 1 : 0;  // the op view prints no root
    this.depth = report.depth;
    this.open = new Uint8Array(this.size);
    this.marks = null;  // of a filter: what each row has to do with it
    this.matches = 0;
    this.flat = false;
    this.sorting = null;  // {kind: 'name'|'own'|'total'|'text', column, up}
    this.numbers = new Map();
    this.findParents();
    this.readNames();
    this.listChildren();
    this.openAtFirst();
  }

  findParents() {
    this.parent = new Int32Array(this.size).fill(-1);
    const line = [];
    for (let i = 0; i < this.size; ++i) {
      while (line.length && this.depth[line[line.length - 1]] >= this.depth[i]) line.pop();
      if (line.length) this.parent[i] = line[line.length - 1];
      line.push(i);
    }
  }

  // "/rest" continues the name of the parent; "=" stands before a name that only looks like that.
  readNames() {
    const packed = this.report.names;
    this.names = new Array(this.size);
    for (let i = 0; i < this.size; ++i) {
      const text = packed[i];
      this.names[i] = text[0] === '/' && this.parent[i] >= 0 ? this.names[this.parent[i]] + text
                    : text[0] === '=' ? text.slice(1) : text;
    }
  }

  label(i) {
    const text = this.report.names[i];
    return this.report.view === 'scope' && !this.flat && text[0] === '/' && text.length > 1 ? text.slice(1) : this.names[i];
  }

  // The children of i are children[start[i]] to children[start[i + 1] - 1], in the order in which they are shown.
  listChildren() {
    this.start = new Int32Array(this.size + 1);
    for (const p of this.parent) if (p >= 0) ++this.start[p + 1];
    for (let i = 0; i < this.size; ++i) this.start[i + 1] += this.start[i];
    this.children = new Int32Array(this.size);
    const next = this.start.slice();
    for (let i = 0; i < this.size; ++i) if (this.parent[i] >= 0) this.children[next[this.parent[i]]++] = i;
  }

  childrenOf(i) { return this.children.subarray(this.start[i], this.start[i + 1]); }
  hasChildren(i) { return this.start[i + 1] > this.start[i]; }
  roots() {
    if (this.first) return [...this.childrenOf(0)];
    return [...Array(this.size).keys()].filter((i) => this.parent[i] < 0);
  }

  // One column as numbers; NaN was not recorded.
  values(part, column) {
    const key = part + column;
    if (!this.numbers.has(key)) {
      this.numbers.set(key, Float64Array.from(this.report[part][column], (v) => (v === null ? NaN : Number(v))));
    }
    return this.numbers.get(key);
  }

  // Opens the rows that hold most, until there is about a screen full.
  openAtFirst() {
    const values = this.size && this.report.columns.length ? this.values('total', this.report.main) : null;
    const weight = (i) => (values && values[i] ? Math.abs(values[i]) : 0);
    let shown = this.roots(), candidates = shown.slice();
    if (this.size <= ROWS_AT_FIRST) return this.openAll(true);
    let count = shown.length;
    while (candidates.length && count < ROWS_AT_FIRST) {
      let best = 0;
      for (let k = 1; k < candidates.length; ++k) if (weight(candidates[k]) > weight(candidates[best])) best = k;
      const [row] = candidates.splice(best, 1);
      const below = this.childrenOf(row);
      if (!below.length || (count + below.length > 3 * ROWS_AT_FIRST && count > 1)) continue;
      this.open[row] = 1;
      count += below.length;
      candidates.push(...below.slice(0, 200));
    }
  }

  openAll(open) {
    this.open.fill(open ? 1 : 0);
    if (!open) for (const root of this.roots()) this.open[root] = this.roots().length === 1 ? 1 : 0;
  }

  toggle(i, whole) {
    const open = this.open[i] ? 0 : 1;
    this.open[i] = open;
    if (!whole) return;
    for (let k = i + 1; k < this.size && this.depth[k] > this.depth[i]; ++k) this.open[k] = open;
  }

  reveal(i) {
    for (let p = this.parent[i]; p >= 0; p = this.parent[p]) this.open[p] = 1;
  }

  // Rows whose name, or the text of a column, holds the words; /.../ is a regular expression. false: a bad one.
  filter(text) {
    this.marks = null;
    this.matches = 0;
    if (!text) return true;
    let pattern;
    try {
      const wild = /^\/(.+)\/$/.exec(text);
      pattern = new RegExp(wild ? wild[1] : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    } catch { return false; }
    const marks = new Uint8Array(this.size), under = new Uint8Array(this.size), over = new Uint8Array(this.size);
    for (let i = this.first; i < this.size; ++i) {
      const parent = this.parent[i];
      under[i] = parent >= 0 && (marks[parent] === MATCH || under[parent]) ? 1 : 0;
      if (!pattern.test(this.names[i]) && !this.report.text.some((column) => column[i] && pattern.test(column[i]))) {
        if (under[i]) marks[i] = BELOW_MATCH;
        continue;
      }
      marks[i] = MATCH;
      ++this.matches;
      for (let p = parent; p >= 0 && !over[p]; p = this.parent[p]) {
        over[p] = this.open[p] = 1;
        if (marks[p] !== MATCH) marks[p] = ABOVE_MATCH;
      }
    }
    this.marks = marks;
    return true;
  }

  order() {
    const by = this.sorting;
    if (!by) return (a, b) => a - b;
    const sign = by.up ? 1 : -1;
    if (by.kind === 'name') return (a, b) => sign * (this.names[a] < this.names[b] ? -1 : this.names[a] > this.names[b] ? 1 : a - b);
    if (by.kind === 'text') {
      const texts = this.report.text[by.column];
      return (a, b) => sign * (texts[a] || '').localeCompare(texts[b] || '', 'en', { numeric: true }) || a - b;
    }
    const values = this.values(by.kind, by.column);
    return (a, b) => {
      const x = values[a], y = values[b];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;  // what is not known comes last
      return sign * (x - y) || a - b;
    };
  }

  sort(sorting) {
    this.sorting = sorting;
    const order = this.order();
    for (let i = 0; i < this.size; ++i) {
      if (this.start[i + 1] - this.start[i] > 1) this.childrenOf(i).sort(order);
    }
  }

  // The rows to show, in order.
  visible() {
    const { marks, start, children, open } = this;
    if (this.flat) {
      const all = [];
      for (let i = this.first; i < this.size; ++i) if (!marks || marks[i] === MATCH) all.push(i);
      return all.sort(this.order());
    }
    const out = [], stack = this.roots().sort(this.order()).reverse();
    while (stack.length) {
      const i = stack.pop();
      if (marks && !marks[i]) continue;
      out.push(i);
      if (open[i]) for (let k = start[i + 1] - 1; k >= start[i]; --k) stack.push(children[k]);
    }
    return out;
  }
}
