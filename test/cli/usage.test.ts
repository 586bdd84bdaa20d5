import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulePages } from '../../server/core/rules/generated/pages.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { folderWith, implicit } from './support/folder.ts';
import { cli, runCli } from './support/runCli.ts';

const wrong: readonly (readonly [readonly string[], RegExp])[] = [
  [['chek'], /chek.*check, sites, budget, facts, explain, lsp/],
  [['--frobnicate'], /--frobnicate/],
  [['check', '--frobnicate'], /--frobnicate/],
  [['check', '-x'], /-x/],
  [['check', '--format', 'xml'], /--format xml.*text, json, sarif, github/],
  [['check', '--format'], /--format needs a value/],
  [['check', '--format', '--fix'], /--format needs a value/],
  [['check', '--fix=yes'], /--fix takes no value/],
  [['check', '--format', 'json', '--format', 'text'], /--format is given twice/],
  [['check', '--select', 'AC101,AC999'], /--select AC999.*AC101/],
  [['check', '--select', ','], /--select/],
  [['check', '--ignore', 'nothing-like-it'], /--ignore nothing-like-it/],
  [['check', '--torch', 'newest'], /--torch newest/],
  [['check', '--torch', '2.x'], /--torch 2\.x/],
  [['explain'], /CODE/],
  [['explain', 'AC999'], /AC999.*AC101/],
  [['lsp'], /--stdio/],
  [['budget', '--layers', '0'], /--layers 0/],
  [['budget', '--batch', '1.5'], /--batch 1\.5/],
  [['budget', '--seq', '-4'], /--seq -4/],
  [['budget', '--dtype', 'int8'], /--dtype int8.*bf16, fp16, fp32/],
  [['budget', '--attention', 'fast'], /--attention fast/],
  [['budget', '--dropout', '1.5'], /--dropout 1\.5/],
  [['budget', '--format', 'sarif'], /--format sarif/],
  [['budget', 'a.py', 'b.py'], /one FILE/],
];

for (const [args, message] of wrong) {
  test(`wrong usage: ${args.join(' ')}`, () => {
    const { code, stdout, stderr } = runCli(args);
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 1, 'one line');
    assert.equal(stdout, '');
    assert.equal(code, 2);
  });
}

test('help for the whole and for each command, and the version', () => {
  const overview = runCli(['--help']);
  assert.equal(overview.code, 0);
  for (const command of ['check', 'budget', 'explain', 'lsp']) {
    assert.ok(overview.stdout.includes(`  ${command}`));
    const { code, stdout, stderr } = runCli([command, '--help']);
    assert.ok(stdout.includes(`Usage: checkpoint-lens ${command}`));
    assert.equal(stderr, '');
    assert.equal(code, 0);
  }
  assert.equal(runCli(['--version']).stdout.trim(), JSON.parse(readFileSync('package.json', 'utf8')).version);
  assert.equal(runCli([]).code, 2);
});

test('a path in place of a command leads to the command', () => {
  assert.match(runCli(['package.json']).stderr, /checkpoint-lens check package\.json/);
});

test('explain prints the page of each rule, by code or name in any case', () => {
  for (const { code, name } of allRules) {
    assert.equal(runCli(['explain', code.toLowerCase()]).stdout, rulePages.get(name));
    assert.equal(runCli(['explain', name.toUpperCase()]).stdout, rulePages.get(name));
  }
});

test('--select, --ignore and --torch choose what is found', (context) => {
  const { path: cwd } = folderWith(context, { 'a.py': implicit });
  const code = (...args: string[]): number | null => runCli(['check', ...args], { cwd }).code;
  assert.equal(code('--select', 'ac101'), 1);
  assert.equal(code('--select=implicit-use-reentrant,AC201'), 1);
  assert.equal(code('--select', 'AC102', '--select', 'AC201'), 0);
  assert.equal(code('--ignore', 'AC101'), 0);
  assert.equal(code('--select', 'AC101', '--ignore', 'AC101'), 0);
  assert.equal(code('--torch', '1.10'), 0, 'use_reentrant is newer');
  assert.equal(code('--torch', '2.9.0+cu128'), 1);
  assert.equal(code('--', 'a.py'), 1);
});

test('a reader that stops reading is no crash', async (context) => {
  const lines = Array.from({ length: 3000 }, (_, index) => `y${index} = checkpoint(block, x)\n`);
  const { path: cwd } = folderWith(context, { 'a.py': implicit + lines.join('') });
  const child = spawn(process.execPath, [cli, 'check', '--format', 'json'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child, 'close');
  assert.equal(stderr, '');
});
