'use strict';
// Puts the page of a view together: the flame graph, the table, and the tools of both.

function press(text, title, action) {
  const button = element('button', '', text);
  button.type = 'button';
  button.title = title;
  button.addEventListener('click', action);
  return button;
}

function section(title, id) {
  const made = element('section'), tools = element('div', 'tools');
  made.id = id;
  tools.append(element('h2', '', title));
  made.append(tools);
  document.getElementById('view').append(made);
  return [made, tools];
}

function showView(report) {
  // Texts that many rows share are listed once.
  report.text = report.text.map((column) => column.map((text) => (typeof text === 'number' ? report.lists[text] : text)));
  const tree = new Tree(report);
  const [flameBox, flameTools] = section('Flame graph', 'flame-section');
  const [treeBox, treeTools] = section(report.hides_root ? 'Rows' : 'Tree', 'tree-section');
  const crumbs = element('div', 'crumbs'), flameHost = element('div', 'flame');
  flameHost.setAttribute('role', 'group');
  flameHost.setAttribute('aria-label', 'Flame graph: arrow keys move, Enter zooms, Escape zooms out');
  flameBox.append(crumbs, flameHost);
  const treeHost = element('div', 'tree');
  treeBox.append(treeHost);

  const counter = element('span', 'soft small');
  counter.setAttribute('role', 'status');
  let filtered = '';
  const flame = new Flame(tree, flameHost, crumbs, {
    chose: (i) => {
      if (!tree.flat) tree.reveal(i);
      table.update();
      table.choose(i);
    },
  });
  const table = new TreeTable(tree, treeHost, {
    chose: (i) => flame.choose(i),
    zoom: (i) => flame.zoom(i),
    counted: (shown, cut) => {
      const all = tree.size - tree.first;
      counter.textContent = (filtered ? `${tree.matches.toLocaleString('en')} of ${all.toLocaleString('en')} rows match, ` : '') +
          `${shown.toLocaleString('en')} of ${all.toLocaleString('en')} rows shown` +
          (cut ? `, ${cut.toLocaleString('en')} more do not fit: fold or filter` : '');
    },
  });

  if (report.columns.length) {
    const choice = element('select');
    choice.setAttribute('aria-label', 'Figure of the flame graph');
    report.columns.forEach((column, c) => choice.append(new Option('by ' + column.title, c, false, c === report.main)));
    choice.addEventListener('change', () => { flame.column = Number(choice.value); flame.draw(); });
    flameTools.append(choice, element('span', 'grow'),
                      press('Reset zoom', 'Show everything (Escape in the graph)', () => flame.zoom(0)));
  } else {
    flameBox.classList.add('hidden');
  }

  const box = element('input');
  box.type = 'search';
  box.placeholder = 'Filter: words or /regular expression/';
  box.setAttribute('aria-label', 'Filter rows');
  let waiting = 0;
  box.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filtered = box.value;
      box.setAttribute('aria-invalid', !tree.filter(filtered));
      table.update();
      flame.draw();
    }, 120);
  });
  const flat = press('Flat', 'All rows in one list, without the tree', () => {
    tree.flat = !tree.flat;
    flat.setAttribute('aria-pressed', tree.flat);
    table.sort(tree.flat && !tree.sorting && report.columns.length ? { kind: 'own', column: report.main, up: false } : tree.sorting);
  });
  flat.setAttribute('aria-pressed', false);
  treeTools.append(box);
  if (!report.hides_root) {
    treeTools.append(press('Unfold all', 'Open every row', () => { tree.openAll(true); table.update(); }),
                     press('Fold all', 'Close every row', () => { tree.openAll(false); table.update(); }), flat);
  }
  treeTools.append(element('span', 'grow'), counter);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /INPUT|SELECT/.test(event.target.tagName)) return;
    event.preventDefault();
    box.focus();
  });
  table.update();
  flame.draw();
}

showView(JSON.parse(document.getElementById('report').textContent));
