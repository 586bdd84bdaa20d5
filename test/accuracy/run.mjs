// Says how right the numbers are, bar by bar; ends with 1 if one is missed.
//   npm run accuracy               --rows prints every row, --write writes the README's table
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
process.chdir(root);
mkdirSync('out/accuracy', { recursive: true });
await esbuild.build({
  entryPoints: ['test/accuracy/accuracy.ts'],
  outfile: 'out/accuracy/accuracy.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  loader: { '.md': 'text' },
  logLevel: 'warning',
});
await import(pathToFileURL(path.resolve('out/accuracy/accuracy.mjs')).href);
