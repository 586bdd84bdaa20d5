// Says with one command where the checker stands: sites beside a reference, findings, fixes, what rules cost, scan speed.
//   npm run bars -- CHECKOUTS [SITES.jsonl] [--all]
// or with CHECKPOINT_LENS_CHECKOUTS and CHECKPOINT_LENS_SITES in the environment. Nothing of either is part of this project.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { build } from '../../extension/build.mjs';

const howToGetThem = `
CHECKOUTS is a folder with one folder for each repository of training code, named owner+name:

  mkdir checkouts && cd checkouts
  git clone --depth 1 https://github.com/karpathy/nanoGPT karpathy+nanoGPT
  git clone --depth 1 https://github.com/huggingface/peft huggingface+peft
  …

SITES.jsonl is what another extractor found in them, one object a line:

  {"repo": "karpathy+nanoGPT", "file": "model.py", "line": 12, "kind": "call", "callee": "torch.utils.checkpoint.checkpoint"}

  npm run bars -- checkouts SITES.jsonl
`;

const args = process.argv.slice(2);
const paths = args.filter((argument) => argument !== '--all');
const checkouts = paths[0] ?? process.env.CHECKPOINT_LENS_CHECKOUTS;
const referenceSites = paths[1] ?? process.env.CHECKPOINT_LENS_SITES;
const missing = [checkouts, referenceSites].filter((one) => one === undefined || !existsSync(one));
if (missing.length > 0) {
  const what = missing.map((one) => one ?? (checkouts === undefined ? 'CHECKOUTS' : 'SITES.jsonl'));
  console.error(`NOT THERE: ${[...new Set(what)].join(', ')}\n${howToGetThem}`);
}
if (checkouts === undefined || !existsSync(checkouts)) process.exit(2);

const given = {
  checkouts: path.resolve(checkouts),
  referenceSites: referenceSites !== undefined && existsSync(referenceSites) ? path.resolve(referenceSites) : undefined,
  all: args.includes('--all'),
};
process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '../..'));
await build();
const outfile = path.resolve('out/reference/bars.mjs');
await esbuild.build({
  entryPoints: ['test/reference/bars.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  loader: { '.md': 'text' },
  logLevel: 'warning',
});
const { bars } = await import(pathToFileURL(outfile).href);
process.exitCode = bars(given) === 0 ? 0 : 1;
