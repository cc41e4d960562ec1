// Builds app.js and app.css into the folder named as argument. The result depends on the sources and package-lock.json
// alone, so that a check can tell whether web/dist is what the sources build.
import { context, build } from 'esbuild';
import { readFileSync } from 'node:fs';
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
};

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
  await build(options);
  check();
}
