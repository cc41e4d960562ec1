// Builds app.js, app.css and licenses/ into the folder named as argument. The result depends on the sources and package-lock.json
// alone, so that a check can tell whether web/dist is what the sources build.
import { context, build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'dist';
const MOST_BYTES = 500_000;
const FORBIDDEN = [')embedded"', '</script', '</style'];  // the binary and single files hold the text between these

const options = {
  entryPoints: { app: 'src/main.tsx' },
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2021', 'chrome100', 'firefox100', 'safari15'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'ascii',
  logLevel: 'warning',
  metafile: true,
};

// The licence of every package that is in the result, beside it: what is shipped has to carry it.
function writeLicenses(metafile) {
  mkdirSync(join(folder, 'licenses'), { recursive: true });
  const inputs = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  for (const name of new Set(inputs.filter(Boolean)))
    writeFileSync(join(folder, 'licenses', `${name.replace('/', '-')}.txt`), readFileSync(join('node_modules', name, 'LICENSE')));
}

function check() {
  let bytes = 0;
  for (const name of ['app.js', 'app.css']) {
    const text = readFileSync(join(folder, name), 'utf8');
    bytes += text.length;
    for (const bad of FORBIDDEN) if (text.toLowerCase().includes(bad)) throw new Error(`${name} holds ${bad}`);
  }
  if (bytes > MOST_BYTES) throw new Error(`app.js and app.css have ${bytes} bytes, more than ${MOST_BYTES}`);
  console.log(`${folder}: ${bytes} bytes`);
}

if (process.argv.includes('--watch')) {
  await (await context(options)).watch();
} else {
  writeLicenses((await build(options)).metafile);
  check();
}
