'use strict';
// A Tree as a flame graph, the root on top: as wide as its share of the chosen figure. A click zooms, Escape and the
// path above zoom out. Frames under a pixel are not drawn; zooming in shows them.

const FRAME_HEIGHT = 21, MOST_FRAMES = 4000, MOST_LEVELS = 400, MOST_ABOVE = 12, LEAST_PIXELS = 0.8, TEXT_PIXELS = 30, LETTER_PIXELS = 6.5;
const HUES = [214, 30, 152, 342, 262, 190, 48, 96, 12, 232, 170, 300];

class Flame {
  constructor(tree, host, crumbs, events) {
    Object.assign(this, { tree, host, crumbs, events, column: tree.report.main, top: 0, chosen: -1 });
    this.part = tree.report.view === 'op' ? 'own' : 'total';
    this.frames = new Map();
    this.tip = element('div', 'tip hidden');
    document.body.append(this.tip);
    host.tabIndex = 0;
    host.addEventListener('click', (event) => this.pick(event.target.closest('.frame')));
    host.addEventListener('pointermove', (event) => this.hover(event));
    host.addEventListener('pointerleave', () => this.tip.classList.add('hidden'));
    host.addEventListener('keydown', (event) => this.key(event));
    let width = 0;
    new ResizeObserver(() => { if (host.clientWidth !== width) { width = host.clientWidth; this.draw(); } }).observe(host);
  }

  weight(i) {
    if (i === 0 && this.tree.first) return Number(this.tree.report.grand[this.column]) || 0;
    return Math.max(0, this.tree.values(this.part, this.column)[i] || 0);
  }

  below(i) {
    return Array.from(this.tree.childrenOf(i)).filter((k) => this.weight(k) > 0)
        .sort((a, b) => this.weight(b) - this.weight(a) || a - b);
  }

  // The same name has the same colour wherever it is: what a forward pass built and what its gradient repeats.
  hash(text) {
    let hash = 7;
    for (let k = 0; k < text.length; ++k) hash = (Math.imul(hash, 31) + text.charCodeAt(k)) | 0;
    return Math.abs(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >> 7);
  }

  path(i) {
    const line = [];
    for (let p = i; p >= 0; p = this.tree.parent[p]) line.push(p);
    return line.reverse();
  }

  draw() {
    if (!this.tree.report.columns.length) return;  // nothing that has a size
    const least = LEAST_PIXELS / Math.max(200, this.host.clientWidth), path = this.path(this.top);
    const above = path.slice(-MOST_ABOVE);
    this.frames.clear();
    const parts = above.map((row, level) => this.makeFrame(row, 0, 1, level, row !== this.top));
    let line = [[this.top, 0, 1]], level = above.length, small = 0;
    while (line.length && this.frames.size < MOST_FRAMES && level < MOST_LEVELS) {
      const next = [];
      for (const [row, left, width] of line) {
        const below = this.below(row), sum = below.reduce((all, k) => all + this.weight(k), 0);
        const unit = width / Math.max(this.weight(row), sum);
        let at = left;
        for (const k of below) {
          const wide = this.weight(k) * unit;
          if (wide >= least && this.frames.size < MOST_FRAMES) {
            parts.push(this.makeFrame(k, at, wide, level, false));
            next.push([k, at, wide]);
          } else {
            ++small;
          }
          at += wide;
        }
      }
      line = next;
      if (next.length) ++level;
    }
    const nothing = !(this.weight(this.top) > 0);
    if (nothing) parts.splice(0, parts.length, element('p', 'soft', 'Nothing of this figure was recorded here.'));
    this.host.replaceChildren(...parts);
    this.host.style.height = nothing ? 'auto' : level * FRAME_HEIGHT + 2 + 'px';
    this.host.classList.toggle('filtered', Boolean(this.tree.marks));
    this.host.dataset.small = small;
    this.drawCrumbs(path);
  }

  makeFrame(i, left, width, level, above) {
    const hash = this.hash(this.tree.label(i).replace(/_\d+$/, ''));
    const frame = element('div', 'frame'), pixels = width * this.host.clientWidth, mark = this.tree.marks && this.tree.marks[i];
    frame.dataset.row = i;
    frame.dataset.v = this.tree.report[this.part][this.column][i] ?? this.tree.report.grand[this.column];
    frame.style.cssText = `left:${left * 100}%;width:${width * 100}%;top:${level * FRAME_HEIGHT}px;--h:${HUES[hash % HUES.length]};--d:${(hash >> 8) % 9 - 4}`;
    const label = this.tree.label(i);  // where little fits, the end of a name says more than its beginning
    const fits = pixels > label.length * LETTER_PIXELS;
    if (pixels >= TEXT_PIXELS) frame.textContent = fits ? label : label.slice(label.lastIndexOf('/', label.length - 2) + 1);
    else frame.classList.add('thin');
    frame.classList.toggle('above', above);
    frame.classList.toggle('chosen', i === this.chosen);
    frame.classList.toggle('match', mark === MATCH || mark === BELOW_MATCH);
    this.frames.set(i, frame);
    return frame;
  }

  drawCrumbs(path) {
    const parts = [], above = path.length > 12 ? [...path.slice(0, 2), -1, ...path.slice(-8)] : path;
    above.forEach((row, k) => {
      if (k) parts.push(element('span', '', row < 0 ? '› …' : '›'));
      if (row < 0) return;
      const button = element('button', '', this.tree.label(row));
      button.type = 'button';
      button.title = this.tree.names[row];
      button.addEventListener('click', () => this.zoom(row));
      parts.push(button);
    });
    this.crumbs.replaceChildren(...parts);
  }

  zoom(i) {
    this.top = i;
    this.chosen = i;
    this.host.scrollTop = 0;
    this.draw();
  }

  choose(i) {
    const old = this.frames.get(this.chosen), now = this.frames.get(i);
    this.chosen = i;
    if (old) old.classList.remove('chosen');
    if (now) now.classList.add('chosen');
  }

  pick(frame) {
    if (!frame) return;
    const i = Number(frame.dataset.row);
    this.zoom(i === this.top && this.tree.parent[i] >= 0 ? this.tree.parent[i] : i);
    this.events.chose(i);
  }

  hover(event) {
    const frame = event.target.closest('.frame');
    this.tip.classList.toggle('hidden', !frame);
    if (frame) this.showTip(Number(frame.dataset.row), event.clientX, event.clientY);
  }

  // The full name and every figure, exactly.
  showTip(i, x, y) {
    const { report } = this.tree, table = element('table');
    report.columns.forEach((column, c) => {
      const row = element('tr');
      row.append(element('th', '', column.title));
      for (const [part, title] of [['own', 'own'], ['total', report.view === 'op' ? 'accumulated' : 'total']]) {
        const raw = report[part][c][i];
        row.append(element('td', 'n', raw === null ? '–' : exact(column.kind, raw)), element('td', 'soft', title));
      }
      const raw = report[this.part][c][i];
      row.append(element('td', 'n', raw === null ? '' : percent(Number(raw), Number(report.grand[c]))));
      table.append(row);
    });
    this.tip.replaceChildren(element('b', '', this.tree.names[i]), table);
    this.tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - this.tip.offsetWidth - 8)) + 'px';
    this.tip.style.top = (y + 18 + this.tip.offsetHeight > innerHeight ? y - this.tip.offsetHeight - 10 : y + 18) + 'px';
  }

  key(event) {
    const i = this.chosen < 0 ? this.top : this.chosen, parent = this.tree.parent[i];
    const beside = parent < 0 ? [i] : this.below(parent), at = beside.indexOf(i);
    const next = { ArrowRight: beside[Math.min(at + 1, beside.length - 1)], ArrowLeft: beside[Math.max(at - 1, 0)],
                   ArrowUp: parent < 0 ? i : parent, ArrowDown: this.below(i)[0] ?? i }[event.key];
    if (event.key === 'Enter') this.zoom(i);
    else if (event.key === 'Escape') this.zoom(this.path(0)[0]);
    else if (next === undefined) return;
    event.preventDefault();
    if (next === undefined) return;
    if (!this.frames.has(next)) this.zoom(parent < 0 ? next : parent);
    this.choose(next);
    const box = this.frames.get(next)?.getBoundingClientRect();
    this.tip.classList.toggle('hidden', !box);
    if (box) this.showTip(next, box.left, box.bottom - 14);
    this.events.chose(next);
  }
}
