// Opens a page that tfprof wrote (headless Chromium), does what the steps say and prints what was seen, as JSON.
//   node html_page.mjs MODULES PAGE STEP...      a STEP is JSON: {"click": SELECTOR}, {"press": KEY, "on": SELECTOR},
//                                                {"fill": SELECTOR, "text": TEXT}, {"seen": NAME}
// Every {"seen": NAME} records the state of the page under NAME. Console messages and requests are recorded throughout.
import path from 'path';
import { createRequire } from 'module';

const [, , modules, file, ...steps] = process.argv;
const { chromium } = createRequire(path.join(modules, 'x.js'))('playwright-core');

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
  for (let before = -1, same = 0, turn = 0; same < 2 && turn < 50; ++turn) {
    await page.waitForTimeout(200);
    const now = await size();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
                                        args: ['--no-sandbox', '--disable-gpu'] });
try {
  const found = { messages: [], requests: [] };
  const dark = steps.includes('dark');
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
  page.on('console', (message) => found.messages.push(message.text()));
  page.on('pageerror', (error) => found.messages.push(error.message));
  page.on('request', (request) => { if (!request.url().startsWith('file:')) found.requests.push(request.url()); });
  await page.goto('file://' + file);
  for (const step of steps.filter((text) => text !== 'dark').map((text) => JSON.parse(text))) {
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
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
}
