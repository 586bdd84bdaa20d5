// Measures what a person waits for, on this machine, in one run, and says which bars hold. Times hang on what else the machine
// does; the ratios within one run hang on it less.
//   npm run bench                              everything, on generated training code
//   npm run bench -- editor memory             only these sections
//   npm run bench -- --workspace FOLDER        with the Python files of a real folder as the workspace
//   npm run bench -- memory --edits 1000       fewer edits
//   npm run bench -- scan --workspace FOLDER   a check of the whole folder, beside ripgrep and TorchFix where those are installed
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { build } from '../../extension/build.mjs';

/** Name → the file beside this one whose `measure` prints a section and gives the figures that bars are for. */
const sections = {
  sizes: 'sizes.ts',
  startup: 'startup.ts',
  core: 'core.ts',
  editor: 'editor.ts',
  memory: 'memory.ts',
  scan: 'scan.ts',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workspace: { type: 'string' }, edits: { type: 'string', default: '10000' } },
});
const workspace = values.workspace === undefined ? undefined : path.resolve(values.workspace);
const unknown = positionals.filter((name) => !(name in sections));
if (unknown.length > 0 || (workspace !== undefined && !existsSync(workspace))) {
  console.error(
    unknown.length > 0
      ? `There is no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`
      : `There is no folder ${workspace}`,
  );
  process.exit(2);
}

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
process.chdir(root);
await build();
mkdirSync('out/bench', { recursive: true });
const bundled = await esbuild.build({
  entryPoints: ['test/bench/figures.ts', ...Object.values(sections).map((file) => `test/bench/${file}`)],
  outdir: 'out/bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  loader: { '.md': 'text' },
  logLevel: 'warning',
});
if (bundled.errors.length > 0) process.exit(1);
const load = (file) => import(pathToFileURL(path.resolve('out/bench', file.replace(/ts$/, 'mjs'))).href);
const { printFigure } = await load('figures.ts');

console.log(`Node ${process.version}, ${workspace ?? 'generated training code'}`);
const figures = [];
for (const [name, file] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n${name}`);
  const { measure } = await load(file);
  figures.push(...(await measure({ workspace, edits: Number(values.edits) })));
}
console.log('\nbars');
for (const figure of figures) printFigure(figure);
