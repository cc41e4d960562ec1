// A page that tfprof wrote, in a browser: does what the steps say and tells what was seen.
// A step: {"click": SELECTOR}, {"press": KEY, "on": SELECTOR}, {"fill": SELECTOR, "text": TEXT}, {"hover": SELECTOR}, or {"seen": NAME},
// which records the state of the page under NAME. Console messages and requests are recorded throughout.

const look = () => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
  return {
    title: document.title,
    heads: texts('th'),
    cards: texts('.card .value, dl.facts dd'),
    sections: texts('section.panel'),
    warnings: texts('.warning'),
    count: document.querySelector('section[aria-label$=", table"] .tools [role=status]')?.textContent ?? '',
    rowcount: Number(document.querySelector('[role=treegrid]')?.getAttribute('aria-rowcount') ?? -1),
    rows: [...document.querySelectorAll('.tree tr[data-row]')].map((row) => ({
      name: row.cells[0].title, level: Number(row.getAttribute('aria-level')), chosen: row.classList.contains('chosen'),
      values: [...row.querySelectorAll('td.n')].map((cell) => cell.dataset.v ?? null),
      texts: [...row.querySelectorAll('td:not(.n):not(.name)')].map((cell) => cell.textContent),
      tips: [...row.querySelectorAll('td.n')].map((cell) => cell.title) })),
    frames: [...document.querySelectorAll('.flame .frame')].map((frame) => ({
      row: Number(frame.dataset.row), value: frame.dataset.v, left: frame.offsetLeft, top: frame.offsetTop,
      width: frame.getBoundingClientRect().width, above: frame.classList.contains('above') })),
    crumbs: texts('.crumbs button'),
    tables: [...document.querySelectorAll('table.plain')].map((table) =>
      [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.v ?? cell.textContent))),
    plots: [...document.querySelectorAll('.plot')].map((plot) => Number(/(\d+) points/.exec(plot.getAttribute('aria-label'))[1])),
    paths: [...document.querySelectorAll('.plot canvas')].map((canvas) => canvas.getBoundingClientRect().width > 100),
    wild: window.wild ?? null,  // what a script smuggled in by an input would set
    background: getComputedStyle(document.body).backgroundColor };
};

// What is drawn stays the same for a while: filters wait for the end of typing, graphs for the width of the page.
async function settled(page) {
  const size = () => page.evaluate(() => document.body.innerHTML.length);
  for (let before = -1, same = 0, turn = 0; same < 3 && turn < 100; ++turn) {
    await page.waitForTimeout(100);
    const now = await size();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

export async function visit(browser, { file, steps, dark }) {
  const found = { messages: [], requests: [] };
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
  page.on('console', (message) => found.messages.push(message.text()));
  page.on('pageerror', (error) => found.messages.push(error.message));
  page.on('request', (request) => { if (!request.url().startsWith('file:')) found.requests.push(request.url()); });
  try {
    await page.goto('file://' + file);
    for (const step of steps) {
      if (step.click) await page.click(step.click);
      if (step.press) await page.press(step.on, step.press);
      if (step.fill) await page.fill(step.fill, step.text);
      if (step.hover) await page.hover(step.hover);
      if (step.seen) {
        await settled(page);
        found[step.seen] = await page.evaluate(look);
        found[step.seen].tip = await page.evaluate(() => document.querySelector('.tip:not(.hidden)')?.textContent ?? '');
      }
    }
  } finally {
    await page.close();
  }
  return found;
}
