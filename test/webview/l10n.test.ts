import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { t, useStrings } from '../../webview/l10n.ts';

const bundles = readdirSync('l10n').filter((name) => /^bundle\.l10n\..+\.json$/.test(name));
const read = (name: string): Readonly<Record<string, string>> => JSON.parse(readFileSync(`l10n/${name}`, 'utf8'));

/** Texts that are written at a call of `t`; those that come from the core are translated where a bundle has them. */
const written = readdirSync('webview', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...readFileSync(`webview/${name}`, 'utf8').matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)])
  .map(([, text = '']) => text);

test('every text of the panel is in every language', () => {
  assert.ok(written.length > 200);
  for (const name of bundles) {
    const bundle = read(name);
    assert.deepEqual(
      written.filter((text) => bundle[text] === undefined),
      [],
      name,
    );
  }
});

test('translations fill in what the text fills in', () => {
  const holes = (text: string): string => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join();
  for (const name of bundles)
    for (const [text, translated] of Object.entries(read(name))) assert.equal(holes(translated), holes(text), text);
});

test('values are put where the text has their number, in any order', () => {
  assert.equal(t('{1} of {0}', 'a', 2), '2 of a');
  useStrings({ '{1} of {0}': '{0} 的 {1}' });
  assert.equal(t('{1} of {0}', 'a', 2), 'a 的 2');
  useStrings({});
});
