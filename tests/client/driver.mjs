// A browser (headless Chromium) that does what it is told, one command per line, and answers each with a line of JSON.
//   node driver.mjs MODULES        MODULES: the folder with playwright-core and axe-core
//   {"do": "open", "page": "a", "url": "…", "dark": false, "width": 1400, "height": 900}
//   {"do": "click", "page": "a", "frame": "part of its address", "on": SELECTOR} …
// support/browser.py has the other end.
import fs from 'fs';
import path from 'path';
import readline from 'readline';
import { createRequire } from 'module';
import { visit } from './html_page.mjs';
import { trace } from './perfetto_ui.mjs';

const [, , modules] = process.argv;
const { chromium } = createRequire(path.join(modules, 'x.js'))('playwright-core');
const WAIT_MS = 60_000;  // for machines that have much else to do

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
                                        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic',
                                               '--no-first-run', '--disable-component-update', '--disable-sync'] });
const pages = {};

async function open({ page: name, url, dark, width, height, scale }) {
  const context = await browser.newContext({ viewport: { width: width ?? 1400, height: height ?? 900 }, deviceScaleFactor: scale ?? 1,
                                             colorScheme: dark ? 'dark' : 'light', acceptDownloads: true });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage(), heard = { messages: [], requests: [] };
  page.on('console', (message) => heard.messages.push(message.text()));
  page.on('pageerror', (error) => heard.messages.push(error.message));
  page.on('request', (request) => heard.requests.push(request.url()));
  page.on('dialog', (dialog) => { heard.messages.push('dialog: ' + dialog.message()); void dialog.dismiss(); });
  pages[name] = { page, context, heard };
  await page.goto(url, { waitUntil: 'domcontentloaded' });  // TensorBoard's page waits for fonts from elsewhere
}

// The page itself, or the frame in it whose address has these words.
async function place({ page: name, frame }) {
  const { page } = pages[name];
  for (let waited = 0; frame; waited += 100) {
    const found = page.frames().find((one) => one !== page.mainFrame() && one.url().includes(frame));
    if (found) return found;
    if (waited > WAIT_MS) throw new Error(`no frame ${frame}; there are ${page.frames().map((one) => one.url())}`);
    await page.waitForTimeout(100);
  }
  return page;
}

const actions = {
  open,
  visit: (told) => visit(browser, told),
  trace: (told) => trace(browser, told),
  goto: async (told) => void await (await place(told)).goto(told.url),
  reload: async ({ page }) => void await pages[page].page.reload({ waitUntil: 'domcontentloaded' }),
  click: async (told) => (await place(told)).click(told.on),
  fill: async (told) => (await place(told)).fill(told.on, told.text),
  press: async (told) => (await place(told)).press(told.on, told.key),
  choose: async (told) => void await (await place(told)).selectOption(told.on, told.value),
  wait: async (told) => {  // playwright's own way would run into the policy of the page
    for (const end = Date.now() + WAIT_MS; ;) {
      if (await (await place(told)).evaluate(`Boolean(${told.until})`).catch(() => false)) return;
      if (Date.now() > end) throw new Error(`never came: ${told.until}; heard ${JSON.stringify(pages[told.page].heard.messages)}`);
      await pages[told.page].page.waitForTimeout(50);
    }
  },
  evaluate: async (told) => (await place(told)).evaluate(told.script),
  drag: async (told) => {
    const { mouse } = pages[told.page].page;
    await mouse.move(...told.from);
    await mouse.down();
    await mouse.move(...told.to, { steps: 6 });
    await mouse.up();
  },
  dark: async ({ page, on }) => pages[page].page.emulateMedia({ colorScheme: on ? 'dark' : 'light' }),
  address: async (told) => (await place(told)).url(),
  heard: async ({ page }) => pages[page].heard,
  shot: async ({ page, file, on }) => {
    const shown = pages[page].page;
    await (on ? shown.locator(on).first() : shown).screenshot({ path: file, animations: 'disabled' });
  },
  axe: async (told) => {
    const where = await place(told);
    await where.evaluate(fs.readFileSync(path.join(modules, 'axe-core', 'axe.min.js'), 'utf8') + '; 0');
    return where.evaluate(async (rules) => {
      const found = await axe.run(document, rules ? { runOnly: { type: 'rule', values: rules } } : {});
      return found.violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
        .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | ')}`);
    }, told.rules ?? null);
  },
  close: async ({ page }) => { await pages[page].context.close(); delete pages[page]; },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await actions[told.do](told)) ?? null };
  } catch (error) {
    answer = { error: `${told.do}: ${error.message}` };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
await browser.close();
