// Measures what a person waits for, on this machine, in one run. Times here are noisy; the ratios to the parse are not.
//   npm run bench
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { build } from '../../extension/build.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
process.chdir(root);
await build();
mkdirSync('out/bench', { recursive: true });
await esbuild.build({
  entryPoints: ['test/bench/measure.ts'],
  outfile: 'out/bench/measure.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  loader: { '.md': 'text' },
  logLevel: 'warning',
});
await import(pathToFileURL(path.resolve('out/bench/measure.mjs')).href);
