import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explicit, implicit } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

test('standard input is reported under the name that is given', () => {
  const { code, stdout } = runCli(['check', '--stdin-filename', 'pkg/train.py', '-'], { input: implicit });
  assert.match(stdout, /^pkg\/train\.py:2:5: warning AC101 /);
  assert.equal(code, 1);
});

test('--fix writes the fixed text to standard output and everything else beside it', () => {
  const { code, stdout, stderr } = runCli(['check', '--fix', '--stdin-filename', 'a.py', '-'], { input: implicit });
  assert.equal(stdout, explicit);
  assert.equal(stderr, 'a.py: fixed AC101\nNo findings in 1 file\n');
  assert.equal(code, 0);
});

test('--fix hands text through that has nothing to fix, byte for byte', () => {
  for (const input of ['x = 1\r\n', '', '\ufeff# checkpoint\n', `${explicit}`]) {
    assert.equal(runCli(['check', '--fix', '-'], { input }).stdout, input);
  }
});

test('standard input goes with no other path, and a name needs it', () => {
  assert.equal(runCli(['check', '-', 'a.py']).code, 2);
  const { code, stderr } = runCli(['check', '--stdin-filename', 'a.py']);
  assert.match(stderr, /^checkpoint-lens: --stdin-filename /);
  assert.equal(code, 2);
});
