import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const bundle: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8'));
const english: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const chinese: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.zh-cn.json', 'utf8'));
const manifest = readFileSync('package.json', 'utf8');

/** Texts the extension asks VS Code to translate; `t` is `vscode.l10n.t` where a file has many. */
function textsIn(source: string): string[] {
  const calls = source.matchAll(/\b(?:l10n\.)?t\(\s*('(?:[^'\\]|\\.)*')/g);
  return [...calls].map(([, literal = "''"]) => literal.slice(1, -1).replaceAll("\\'", "'"));
}

test('every text of the extension has a Chinese one with the same places to fill', () => {
  const files = readdirSync('extension', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = files.flatMap((name) => textsIn(readFileSync(`extension/${name}`, 'utf8')));
  assert.ok(texts.length > 20);
  assert.deepEqual(
    texts.filter((text) => bundle[text] === undefined),
    [],
  );
  const places = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).sort();
  for (const text of texts) assert.deepEqual(places(bundle[text] ?? ''), places(text), text);
});

test('the manifest’s texts are there in both languages, and none is left over', () => {
  const asked = [...new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key = '']) => key))].sort();
  assert.deepEqual(Object.keys(english).sort(), asked);
  assert.deepEqual(Object.keys(chinese).sort(), asked);
  const commands = (text: string): string[] => text.match(/\(command:[\w.]+\)/g) ?? [];
  for (const key of asked) assert.deepEqual(commands(chinese[key] ?? ''), commands(english[key] ?? ''), key);
});

test('what the walkthrough offers is declared, and its pictures are there', () => {
  const { commands, walkthroughs } = JSON.parse(manifest).contributes;
  const declared = new Set(commands.map(({ command }: { command: string }) => command));
  for (const [, command] of JSON.stringify(english).matchAll(/\(command:([\w.]+)\)/g)) assert.ok(declared.has(command));
  for (const { media } of walkthroughs[0].steps) assert.ok(readFileSync(media.image).length > 1000, media.image);
});
