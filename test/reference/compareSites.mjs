// Compares the places we list with a reference made by another extractor, in both directions.
//   node test/reference/compareSites.mjs CHECKOUTS SITES.jsonl
// CHECKOUTS holds one folder per repository, named as the reference names it; SITES.jsonl has one object a line with at least
// repo, file, line and kind. Nothing of either is part of this project.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [checkouts, referenceFile] = process.argv.slice(2);
if (checkouts === undefined || referenceFile === undefined) {
  console.error('node test/reference/compareSites.mjs CHECKOUTS SITES.jsonl');
  process.exit(2);
}
const cli = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../dist/cli.js');
// What only looks like checkpointing, and what the reference itself could not resolve, is not a site.
const notSites = new Set(['lookalike', 'unresolved']);
const reference = readFileSync(referenceFile, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  .filter(({ repo, file, kind }) => !notSites.has(kind) && existsSync(path.join(checkouts, repo, file)));

let found = 0;
let extra = 0;
const missing = [];
for (const repo of [...new Set(reference.map((site) => site.repo))].sort()) {
  const cwd = path.join(checkouts, repo);
  const { stdout } = spawnSync(process.execPath, [cli, 'sites', '--format', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const ours = JSON.parse(stdout).sites;
  const expected = reference.filter((site) => site.repo === repo);
  const place = (file, line) => `${file}:${line}`;
  const have = new Set(ours.map((site) => place(site.path, site.line)));
  const wanted = new Set(expected.map((site) => place(site.file, site.line)));
  for (const site of expected) {
    if (have.has(place(site.file, site.line))) found++;
    else missing.push(`${repo} ${place(site.file, site.line)} ${site.kind} ${site.callee ?? site.api}`);
  }
  const more = ours.filter((site) => !wanted.has(place(site.path, site.line)));
  extra += more.length;
  for (const site of more)
    console.log(`only ours      ${repo} ${place(site.path, site.line)} ${site.kind} ${site.what}`);
}
for (const site of missing) console.log(`only reference ${site}`);
const share = ((100 * found) / (found + missing.length)).toFixed(1);
console.log(`${found} of ${found + missing.length} reference sites (${share} %), ${extra} more of ours`);
