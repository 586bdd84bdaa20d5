import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Language, Parser } from 'web-tree-sitter';

interface Provenance {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  readonly abi: number;
  readonly bytes: number;
  readonly sha256: string;
}

const provenances: readonly Provenance[] = JSON.parse(readFileSync('grammars/grammars.json', 'utf8'));

for (const { file, package: name, version, licence, abi, bytes, sha256 } of provenances) {
  const content = readFileSync(`grammars/${file}`);

  test(`${file} is the file its provenance names`, () => {
    assert.equal(content.length, bytes);
    assert.equal(createHash('sha256').update(content).digest('hex'), sha256);
  });

  test(`${file} loads in the parser and has the ABI its provenance names`, async () => {
    await Parser.init();
    assert.equal((await Language.load(content)).abiVersion, abi);
  });

  test(`${file} is the one of the locked ${name}`, () => {
    const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    assert.equal(manifest.version, version);
    assert.equal(manifest.license, licence);
    assert.deepEqual(readFileSync(`node_modules/${name}/${file}`), content);
  });
}
