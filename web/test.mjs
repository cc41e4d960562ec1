// Bundles test/*.test.ts for node and runs them with node's own test runner.
import { build } from 'esbuild';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const folder = mkdtempSync(join(tmpdir(), 'tfprof-web-'));
try {
  const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: tests.map((name) => join('test', name)), outdir: folder, bundle: true, platform: 'node', format: 'esm',
    outExtension: { '.js': '.mjs' }, jsx: 'automatic', jsxImportSource: 'preact', loader: { '.css': 'empty' }, logLevel: 'warning',
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
