'use strict';
// The table of a Tree. Only the rows in sight are in the document, so that a hundred thousand rows scroll as well as
// ten. Keys: up, down, left, right as in any tree; Enter zooms the flame graph; Home, End, Page Up, Page Down.

const ROW_HEIGHT = 28, OVERSCAN = 12, MOST_ROWS = 500000;  // browsers limit the height of an element
const WIDTHS = { name: 340, figure: 112, shared: 148, text: 230 };

class TreeTable {
  constructor(tree, host, events) {
    Object.assign(this, { tree, host, events, chosen: -1, rows: [], from: -1, to: -1 });
    this.report = tree.report;
    this.parts = [['own', 'own'], ['total', this.report.view === 'op' ? 'accumulated' : 'total']];
    this.shared = this.report.view === 'op' ? 'own' : 'total';  // whose share of everything is shown
    this.table = element('table');
    this.table.setAttribute('role', 'treegrid');
    this.table.append(this.makeWidths(), this.makeHead(), this.body = element('tbody'));
    this.host.append(this.table);
    this.host.tabIndex = 0;
    this.host.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.host);
    this.host.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', (event) => this.click(event));
    this.body.addEventListener('dblclick', (event) => {
      const row = event.target.closest('tr[data-row]');
      if (row && !event.target.closest('.fold')) this.events.zoom(Number(row.dataset.row));
    });
  }

  makeWidths() {
    const group = element('colgroup');
    let all = 0;
    const add = (width, grows) => {
      const col = element('col');
      if (!grows) col.style.width = width + 'px';
      all += width;
      group.append(col);
    };
    add(WIDTHS.name, true);  // what is left over
    for (const _ of this.report.columns) for (const [part] of this.parts) add(part === this.shared ? WIDTHS.shared : WIDTHS.figure);
    for (const _ of this.report.text_columns) add(WIDTHS.text);
    this.table.style.minWidth = all + 'px';
    return group;
  }

  makeHead() {
    const head = element('thead'), top = element('tr'), below = element('tr');
    this.heads = [];
    top.append(this.makeSorter(element('th', 'name'), 'name', { kind: 'name', up: true }, 2));
    this.report.columns.forEach((column, c) => {
      const group = element('th', 'n group', column.title);
      group.colSpan = 2;
      group.title = column.recorded ? column.title : column.title + ': not recorded';
      top.append(group);
      this.parts.forEach(([kind, title], k) => {
        below.append(this.makeSorter(element('th', k ? 'n' : 'n group'), title, { kind, column: c, up: false }));
      });
    });
    this.report.text_columns.forEach((column, c) => {
      top.append(this.makeSorter(element('th', 'group'), column.title, { kind: 'text', column: c, up: true }, 2));
    });
    head.append(top, below);
    return head;
  }

  makeSorter(th, title, sorting, span = 1) {
    const button = element('button', '', title);
    button.type = 'button';
    th.rowSpan = span;
    th.append(button);
    button.addEventListener('click', () => {
      const now = this.tree.sorting;
      const same = now && now.kind === sorting.kind && now.column === sorting.column;
      const turned = same && now.up !== sorting.up;
      this.sort(turned ? null : { ...sorting, up: same ? !sorting.up : sorting.up });
    });
    this.heads.push([th, sorting]);
    return th;
  }

  sort(sorting) {
    this.tree.sort(sorting);
    for (const [th, its] of this.heads) {
      const same = sorting && its.kind === sorting.kind && its.column === sorting.column;
      if (same) th.setAttribute('aria-sort', sorting.up ? 'ascending' : 'descending');
      else th.removeAttribute('aria-sort');
    }
    this.update();
  }

  // After anything that changes which rows are shown, or their order.
  update() {
    this.rows = this.tree.visible();
    this.cut = Math.max(0, this.rows.length - MOST_ROWS);
    if (this.cut) this.rows.length = MOST_ROWS;
    this.table.setAttribute('aria-rowcount', this.rows.length);
    this.from = -1;
    this.draw();
    this.events.counted(this.rows.length, this.cut);
  }

  draw() {
    const seen = Math.ceil(this.host.clientHeight / ROW_HEIGHT);
    const from = Math.max(0, Math.floor(this.host.scrollTop / ROW_HEIGHT) - OVERSCAN);
    const to = Math.min(this.rows.length, from + seen + 2 * OVERSCAN);
    if (from === this.from && to === this.to) return;
    [this.from, this.to] = [from, to];
    const parts = [this.space(from)];
    for (let k = from; k < to; ++k) parts.push(this.makeRow(this.rows[k], k));
    parts.push(this.space(this.rows.length - to));
    this.body.replaceChildren(...parts);
  }

  space(rows) {
    const row = element('tr', 'space'), cell = element('td');
    row.setAttribute('aria-hidden', 'true');
    cell.style.height = rows * ROW_HEIGHT + 'px';
    row.append(cell);
    return row;
  }

  makeRow(i, position) {
    const { tree, report } = this, row = element('tr');
    row.dataset.row = i;
    row.id = 'row-' + i;
    row.setAttribute('aria-level', tree.flat ? 1 : tree.depth[i] + 1 - tree.first);
    row.setAttribute('aria-rowindex', position + 1);
    row.classList.toggle('chosen', i === this.chosen);
    row.setAttribute('aria-selected', i === this.chosen);
    row.classList.toggle('beside', Boolean(tree.marks) && tree.marks[i] !== MATCH);
    row.append(this.nameCell(i, row));
    report.columns.forEach((column, c) => this.parts.forEach(([part]) => row.append(this.figureCell(i, c, part))));
    report.text_columns.forEach((_, c) => {
      const text = report.text[c][i] || '', cell = element('td', 'group', text);
      cell.title = text;
      row.append(cell);
    });
    return row;
  }

  nameCell(i, row) {
    const { tree } = this, cell = element('td', 'name'), folds = !tree.flat && tree.hasChildren(i);
    cell.style.paddingLeft = 8 + (tree.flat ? 0 : Math.min(tree.depth[i] - tree.first, 24) * 16) + 'px';
    const fold = element(folds ? 'button' : 'span', 'fold', folds ? (tree.open[i] ? '▼' : '▶') : '');
    if (folds) {
      fold.tabIndex = -1;
      fold.title = 'Fold or unfold (with Alt: everything below)';
      row.setAttribute('aria-expanded', Boolean(tree.open[i]));
    }
    cell.title = tree.names[i];
    cell.append(fold, element('span', '', tree.label(i)));
    return cell;
  }

  figureCell(i, c, part) {
    const column = this.report.columns[c], raw = this.report[part][c][i];
    const cell = element('td', part === 'own' ? 'n group' : 'n');
    if (raw === null) {
      cell.classList.add('missing');
      cell.textContent = column.recorded ? '–' : 'n/a';
      cell.title = column.recorded ? 'not recorded for this row, or not counted' : 'not recorded';
      return cell;
    }
    cell.dataset.v = raw;
    cell.title = exact(column.kind, raw);
    cell.textContent = readable(column.kind, raw);
    cell.classList.toggle('zero', Number(raw) === 0);
    if (part === this.shared && Number(raw) === 0) cell.append(element('small'));
    if (part === this.shared && Number(raw) !== 0) {
      const whole = Number(this.report.grand[c]), share = whole ? Number(raw) / whole : 0;
      cell.append(element('small', '', percent(Number(raw), whole)));
      cell.style.backgroundImage = 'linear-gradient(var(--meter), var(--meter))';
      cell.style.backgroundSize = Math.min(100, Math.abs(share) * 100) + '% 2px';
    }
    return cell;
  }

  click(event) {
    const row = event.target.closest('tr[data-row]');
    if (!row) return;
    const i = Number(row.dataset.row);
    if (event.target.closest('.fold') && this.tree.hasChildren(i)) {
      this.tree.toggle(i, event.altKey);
      this.update();
    }
    this.choose(i, false);
    this.events.chose(i);
  }

  choose(i, scroll = true) {
    this.chosen = i;
    const position = this.rows.indexOf(i);
    if (scroll && position >= 0) {
      const top = position * ROW_HEIGHT, seen = this.host.clientHeight - 2 * ROW_HEIGHT;
      if (top < this.host.scrollTop) this.host.scrollTop = top;
      else if (top + ROW_HEIGHT > this.host.scrollTop + seen) this.host.scrollTop = top + ROW_HEIGHT - seen;
    }
    this.from = -1;
    this.draw();
    this.host.setAttribute('aria-activedescendant', 'row-' + i);
  }

  key(event) {
    if (event.target !== this.host || !this.rows.length) return;
    const { tree } = this, at = this.rows.indexOf(this.chosen), i = this.chosen;
    const page = Math.max(1, Math.floor(this.host.clientHeight / ROW_HEIGHT) - 3), last = this.rows.length - 1;
    const jump = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + page, PageUp: at - page }[event.key];
    let next = jump === undefined ? -1 : this.rows[Math.max(0, Math.min(last, jump))];
    if (event.key === 'ArrowRight' && at >= 0 && !tree.flat && tree.hasChildren(i)) {
      if (tree.open[i]) next = this.rows[at + 1];
      else { tree.toggle(i); this.update(); next = i; }
    } else if (event.key === 'ArrowLeft' && at >= 0 && !tree.flat) {
      if (tree.open[i] && tree.hasChildren(i)) { tree.toggle(i); this.update(); next = i; }
      else next = tree.parent[i] >= tree.first ? tree.parent[i] : i;
    } else if (event.key === 'Enter' && at >= 0) {
      this.events.zoom(i);
      next = i;
    }
    if (next < 0) return;
    event.preventDefault();
    this.choose(next);
    this.events.chose(next);
  }
}
