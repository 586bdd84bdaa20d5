// Tries every fix of every finding under a folder of checkouts, one at a time: the fixed file must parse, the finding must be
// gone, comments must be kept, and fixing again must change nothing. Nothing on disk is written.
//   node test/reference/checkFixes.mjs CHECKOUTS
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const [checkouts] = process.argv.slice(2);
if (checkouts === undefined) {
  console.error('node test/reference/checkFixes.mjs CHECKOUTS');
  process.exit(2);
}
const given = path.resolve(checkouts);
process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '../..'));
const outfile = path.resolve('out/reference/tryFixes.mjs');
await esbuild.build({
  entryPoints: ['test/reference/tryFixes.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
const { tryFixes } = await import(pathToFileURL(outfile).href);
process.exitCode = tryFixes(given) === 0 ? 0 : 1;
