'use strict';
// Plain tables: a click on a head sorts by its column, a second one turns the order round, a third restores it.
// Tables with many rows get a box that leaves only the rows holding a word.

const FILTER_FROM = 16;

function cellValue(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell.classList.contains('missing') ? null : cell.textContent;
}

function compareValues(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);  // what is not known comes last
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

function sortable(table) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const moving = [...body.rows].filter((row) => !row.classList.contains('sum'));
  const fixed = [...body.rows].filter((row) => row.classList.contains('sum'));
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    const button = element('button', '', head.textContent);
    button.type = 'button';
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const number = head.classList.contains('n'), before = head.getAttribute('aria-sort');
      const order = number ? ['descending', 'ascending', null] : ['ascending', 'descending', null];
      const next = order[(order.indexOf(before) + 1) % 3];
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      if (next) head.setAttribute('aria-sort', next);
      const sorted = moving.map((row) => [cellValue(row, column), row]);
      if (next) {
        sorted.sort(([a], [b]) => (a === null || b === null || next === 'ascending' ? compareValues(a, b)
                                                                                    : compareValues(b, a)));
      }
      body.append(...sorted.map(([, row]) => row), ...fixed);
    });
  });
}

function filterable(table) {
  const rows = [...table.tBodies[0].rows];
  const box = element('input');
  box.type = 'search';
  box.placeholder = 'Filter ' + rows.length.toLocaleString('en') + ' rows';
  box.setAttribute('aria-label', 'Filter rows');
  const tools = element('div', 'tools');
  tools.append(box);
  table.parentElement.before(tools);
  box.addEventListener('input', () => {
    const word = box.value.toLowerCase();
    rows.forEach((row) => row.classList.toggle('hidden', !row.textContent.toLowerCase().includes(word)));
  });
}

for (const table of document.querySelectorAll('table.plain')) {
  if (table.tHead && table.tBodies[0].rows.length > 1) sortable(table);
  if (table.tHead && table.tBodies[0].rows.length >= FILTER_FROM) filterable(table);
}
