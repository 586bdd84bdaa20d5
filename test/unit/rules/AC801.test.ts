import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LintOptions, lint } from '../../../server/core/lint/engine.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';

const head = 'from torch.utils.checkpoint import checkpoint\n';

function codesWith(body: string, options: Partial<LintOptions>): string[] {
  const file = sourceFile('train.py', parsePython(head + body));
  return lint(file, { rules: allRules, versions: {}, severities: {}, onCrash: () => undefined, ...options }).map(
    ({ code }) => code,
  );
}

const named = 'f(x)  # checkpoint-lens: ignore[AC101]\n';
const bare = 'f(x)  # checkpoint-lens: ignore\n';
const without = allRules.filter(({ code }) => code !== 'AC101');

test('the comments are reported where every rule has run', () => {
  assert.deepEqual(codesWith(named, {}), ['AC801']);
  assert.deepEqual(codesWith(bare, {}), ['AC801']);
});

test('a rule that is left out may have had something to say', () => {
  assert.deepEqual(codesWith(named, { rules: without, isNarrowed: true }), []);
  assert.deepEqual(codesWith(bare, { rules: without, isNarrowed: true }), []);
});

test('so may one that is switched off', () => {
  assert.deepEqual(codesWith(named, { severities: { AC101: 'off' } }), []);
  assert.deepEqual(codesWith(bare, { severities: { AC101: 'off' } }), []);
});

test('and one that fails', () => {
  const rules = allRules.map((rule) => (rule.code === 'AC101' ? { ...rule, check: () => assert.fail() } : rule));
  assert.deepEqual(codesWith(named, { rules }), []);
  assert.deepEqual(codesWith(bare, { rules }), []);
});

test('code that does not parse hides findings', () => {
  assert.deepEqual(codesWith(`${named}checkpoint(f, x\n`, {}), []);
});

test('the hint itself can be switched off', () => {
  assert.deepEqual(codesWith(named, { severities: { AC801: 'off' } }), []);
});
