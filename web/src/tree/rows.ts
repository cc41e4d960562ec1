// The shape of a tree whose rows arrive parents first, with their depth. Nothing here recurses, so that a chain of a
// hundred thousand rows is as good as any other tree.
import type { ViewData } from '../types';
import { shortRoot } from './model';

export class Rows {
  readonly size: number;
  readonly depth: number[];
  readonly parent: Int32Array;
  readonly names: string[];
  // The children of i are children[start[i]] to children[start[i + 1] - 1], in the order in which they are shown.
  readonly start: Int32Array;
  readonly children: Int32Array;

  constructor(readonly view: Pick<ViewData, 'view' | 'depth' | 'names'>) {
    this.size = view.names.length;
    this.depth = view.depth;
    this.parent = this.findParents();
    this.names = this.readNames();
    this.start = new Int32Array(this.size + 1);
    this.children = this.listChildren();
  }

  private findParents(): Int32Array {
    const parent = new Int32Array(this.size).fill(-1), line: number[] = [];
    for (let i = 0; i < this.size; ++i) {
      while (line.length && this.depth[line[line.length - 1]!]! >= this.depth[i]!) line.pop();
      if (line.length) parent[i] = line[line.length - 1]!;
      line.push(i);
    }
    return parent;
  }

  // "/rest" continues the name of the parent; "=" stands before a name that only looks like that.
  private readNames(): string[] {
    const names = new Array<string>(this.size);
    for (let i = 0; i < this.size; ++i) {
      const text = this.view.names[i]!, p = this.parent[i]!;
      names[i] = text[0] === '/' && p >= 0 ? names[p] + text : text[0] === '=' ? text.slice(1) : text;
    }
    return names;
  }

  private listChildren(): Int32Array {
    const { start, parent } = this;
    for (const p of parent) if (p >= 0) ++start[p + 1]!;
    for (let i = 0; i < this.size; ++i) start[i + 1]! += start[i]!;
    const children = new Int32Array(this.size), next = start.slice();
    for (let i = 0; i < this.size; ++i) {
      const p = parent[i]!;
      if (p >= 0) children[next[p]!++] = i;
    }
    return children;
  }

  childrenOf(i: number): Int32Array { return this.children.subarray(this.start[i], this.start[i + 1]); }
  hasChildren(i: number): boolean { return this.start[i + 1]! > this.start[i]!; }

  // What is read inside its parent: of scopes the last part of the name.
  label(i: number): string {
    const text = this.view.names[i]!;
    return this.view.view === 'scope' && text[0] === '/' && text.length > 1 ? text.slice(1) : shortRoot(this.names[i]!);
  }

  endOf(i: number): number {
    let k = i + 1;
    while (k < this.size && this.depth[k]! > this.depth[i]!) ++k;
    return k;
  }
}
