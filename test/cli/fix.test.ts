import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { checkSource } from '../../server/scan/checkSource.ts';
import { decodeSource, encodeSource } from '../../server/scan/pythonSource.ts';
import { tools } from '../support/tools.ts';
import { explicit, folderWith, implicit } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

test('--fix fixes, says what, and has nothing to do the second time', (context) => {
  const folder = folderWith(context, { 'a.py': implicit, 'b.py': 'x = 1\n' });
  const first = runCli(['check', '--fix'], { cwd: folder.path });
  assert.deepEqual(first, { code: 0, stdout: 'a.py: fixed AC101\nNo findings in 2 files\n', stderr: '' });
  assert.equal(folder.read('a.py'), explicit);
  assert.deepEqual(runCli(['check', '--fix'], { cwd: folder.path }), {
    code: 0,
    stdout: 'No findings in 2 files\n',
    stderr: '',
  });
  assert.deepEqual(readdirSync(folder.path).sort(), ['a.py', 'b.py'], 'nothing is left beside');
});

test('a file keeps its byte order mark, line endings, mode bits, and link', (context) => {
  const before = `\ufeff# caf\u00e9\r\n${implicit.replaceAll('\n', '\r\n')}z = 1\n`;
  const folder = folderWith(context, { 'real.py': before });
  chmodSync(folder.at('real.py'), 0o750);
  symlinkSync('real.py', folder.at('link.py'));
  const { code } = runCli(['check', '--fix', 'link.py'], { cwd: folder.path });
  assert.equal(code, 0);
  assert.equal(folder.bytes('real.py').toString(), before.replace('x)', 'x, use_reentrant=False)'));
  assert.equal(statSync(folder.at('real.py')).mode & 0o777, 0o750);
  assert.ok(lstatSync(folder.at('link.py')).isSymbolicLink());
});

test('findings that are left make the exit code 1', (context) => {
  const withoutFix = explicit.replace('use_reentrant=False', 'use_reentrant=False, determinism_check="of"');
  const folder = folderWith(context, { 'a.py': implicit, 'b.py': withoutFix });
  const { code, stdout, stderr } = runCli(['check', '--fix'], { cwd: folder.path });
  assert.match(stdout, /^a\.py: fixed AC101\nb\.py:2:\d+: .*\n1 finding in 1 of 2 files\n$/);
  assert.equal(stderr, '');
  assert.equal(code, 1);
});

test('a file with NUL bytes is not checked, not fixed, and said to be so', (context) => {
  const folder = folderWith(context, { 'a.py': implicit, 'b.py': `${implicit}\0` });
  const { code, stdout, stderr } = runCli(['check', '--fix'], { cwd: folder.path });
  assert.equal(stdout, 'a.py: fixed AC101\nNo findings in 2 files\n');
  assert.match(stderr, /^checkpoint-lens: b\.py: not checked: it has NUL bytes/);
  assert.equal(code, 0);
});

test('a damaged file is never rewritten', (context) => {
  const files = {
    'nul.py': Buffer.from(`${implicit}x = "\0"\n`),
    'latin.py': Buffer.concat([Buffer.from(implicit), Buffer.from('# caf'), Buffer.from([0xe9, 0x0a])]),
  };
  const folder = folderWith(context, files);
  runCli(['check', '--fix'], { cwd: folder.path });
  for (const [name, bytes] of Object.entries(files)) assert.ok(folder.bytes(name).equals(bytes), name);
});

test('--fix with a format for machines leaves standard output to the report', (context) => {
  const folder = folderWith(context, { 'a.py': implicit });
  const { stdout, stderr } = runCli(['check', '--fix', '--format', 'json'], { cwd: folder.path });
  assert.deepEqual(JSON.parse(stdout), { version: 1, files: 1, findings: [] });
  assert.equal(stderr, 'a.py: fixed AC101\n');
});

test('--select decides what is fixed', (context) => {
  const folder = folderWith(context, { 'a.py': implicit });
  const { code } = runCli(['check', '--fix', '--select', 'AC201'], { cwd: folder.path });
  assert.equal(code, 0);
  assert.equal(folder.read('a.py'), implicit);
});

const lines = [
  'y = checkpoint(block, x)',
  'y = checkpoint(\n    block,\n    x,\n)',
  'y = checkpoint(block, x, mask=m)  # a comment (',
  'y = cp.checkpoint(*args)',
  'y = checkpoint_sequential(layers, 2, x)',
  'if x:\n\ty = checkpoint(block, x, use_reentrant=None)',
  'text = """é😀 checkpoint(x) ( """',
  'def f(:',
  'z = [1,\n  2]',
  '',
];
const header =
  'from torch.utils.checkpoint import checkpoint, checkpoint_sequential\nimport torch.utils.checkpoint as cp\n';

test('a fix changes nothing but the arguments it is about, in any mix of code', () => {
  const request = { rules: allRules, versions: {}, severities: {}, onCrash: assert.fail };
  const property = fc.property(
    fc.array(fc.constantFrom(...lines), { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    (body, lineBreak, mark) => {
      const text = header + body.join('\n') + '\n';
      const bytes = Buffer.from((mark ? '\ufeff' : '') + text.replaceAll('\n', lineBreak));
      const source = decodeSource(bytes);
      assert.ok(encodeSource(source.text, source).every((byte, index) => byte === bytes[index]));
      const { fixed } = checkSource('train.py', source, tools, request, true);
      if (fixed === undefined) return;
      const bare = (code: string): string =>
        code.replaceAll(/,?\s*use_reentrant=(None|False),?/g, '').replaceAll(',\n)', '\n)');
      const same = (code: string): string => bare(code.replaceAll('\r\n', '\n'));
      assert.equal(same(fixed.text), same(source.text));
      assert.equal(fixed.text.replaceAll(lineBreak, '').includes('\r'), false, 'one kind of line ending');
      const again = checkSource('train.py', { ...source, text: fixed.text }, tools, request, true);
      assert.equal(again.fixed, undefined, 'fixing twice is fixing once');
    },
  );
  fc.assert(property, { numRuns: 150 });
});
