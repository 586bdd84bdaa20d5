// Takes the Python grammar out of the installed npm package and records where it came from.
//   npm run update-grammar            after changing the version of tree-sitter-python in package.json
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, '../node_modules/tree-sitter-python');
const name = 'tree-sitter-python.wasm';

copyFileSync(path.join(source, name), path.join(here, name));
const bytes = readFileSync(path.join(here, name));
const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
await Parser.init();
const language = await Language.load(bytes);

const provenance = {
  file: name,
  package: manifest.name,
  version: manifest.version,
  licence: manifest.license,
  abi: language.abiVersion,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};
writeFileSync(path.join(here, 'grammars.json'), `${JSON.stringify([provenance], null, 2)}\n`);
console.log(provenance);
