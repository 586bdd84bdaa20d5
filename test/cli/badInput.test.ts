import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { checkSource, crashReporter } from '../../server/scan/checkSource.ts';
import { tools } from '../support/tools.ts';
import { folderWith, implicit } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

function check(context: Parameters<typeof folderWith>[0], content: string | Uint8Array) {
  const { path: cwd } = folderWith(context, { 'a.py': content });
  const { code, stdout, stderr } = runCli(['check', '--format', 'json', 'a.py'], { cwd });
  const places = JSON.parse(stdout).findings.map(
    ({ line, column, code: rule }: { line: number; column: number; code: string }) => `${line}:${column} ${rule}`,
  );
  return { code, places, stderr };
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const inOneLine = (text: string): string => `s = "${text}"; ${implicit.replace('\n', '; ')}`;

const cases: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
  ['empty', '', []],
  ['nothing but a byte order mark', '\ufeff', []],
  ['a byte order mark is no column', `\ufeff${implicit.replace('\n', '; ')}`, ['1:52 AC101']],
  ['CRLF', implicit.replaceAll('\n', '\r\n'), ['2:5 AC101']],
  ['mixed line endings, a lone CR among them', `# a\r# b\r\n# c\n${implicit}`, ['5:5 AC101']],
  ['tabs', `${implicit}if x:\n\ty = checkpoint(f, x)\n`, ['2:5 AC101', '4:6 AC101']],
  ['no line break at the end', implicit.trimEnd(), ['2:5 AC101']],
  ['not UTF-8', Buffer.concat([Buffer.from('# \xe9\xff\n', 'latin1'), Buffer.from(implicit)]), ['3:5 AC101']],
  ['latin-1, as its first line says', latin1(`# -*- coding: latin-1 -*-\né = "é"; ${implicit}`), ['3:5 AC101']],
  [
    'a line of another encoding is as wide as it looks',
    latin1(`# coding: shift_jis\n${inOneLine('\x82\xa0')}`),
    ['2:61 AC101'],
  ],
  ['an encoding nobody knows', latin1(`# coding: klingon\n# é\n${implicit}`), ['4:5 AC101']],
  ['UTF-16 with its mark, least byte first', Buffer.from(`\ufeff${implicit}`, 'utf16le'), ['2:5 AC101']],
  ['UTF-16 with its mark, most byte first', Buffer.from(`\ufeff${implicit}`, 'utf16le').swap16(), ['2:5 AC101']],
  ['half-typed: silent where the parse is not sound', `${implicit}def f(:\n    y = checkpoint(f, x\n`, []],
];

for (const [name, content, places] of cases) {
  test(`bad input: ${name}`, (context) => {
    const result = check(context, content);
    if (!name.startsWith('half-typed')) assert.deepEqual(result.places, places);
    assert.ok(result.code === 0 || result.code === 1);
    assert.equal(result.stderr, '');
  });
}

const notText: readonly (readonly [string, string | Uint8Array])[] = [
  ['NUL bytes', `\0\0${implicit}\0`],
  ['bytes of an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, ...Buffer.from('checkpoint('), 0xff])],
  ['UTF-16 without its mark', Buffer.from(implicit, 'utf16le')],
];

for (const [name, content] of notText) {
  test(`bad input: ${name}: a file that was named does not look clean`, (context) => {
    const { code, stderr, places } = check(context, content);
    assert.match(stderr, /^checkpoint-lens: a\.py: not checked: it has NUL bytes/);
    assert.deepEqual([code, places], [2, []]);
  });
}

test('bad input: what only lies in the folder is noted, and the exit code is that of the rest', (context) => {
  const { path: cwd } = folderWith(context, {
    'a.py': `\0${implicit}`,
    'b.py': implicit,
    'c.py': `#${' '.repeat(4e6)}checkpoint`,
  });
  const { code, stderr } = runCli(['check'], { cwd });
  assert.deepEqual(stderr.split('\n'), [
    'checkpoint-lens: a.py: not checked: it has NUL bytes, as a binary file has or UTF-16 without its mark',
    'checkpoint-lens: c.py: not checked: larger than 4 MB',
    '',
  ]);
  assert.equal(code, 1);
});

test('bad input: what is not UTF-8 is not written back', (context) => {
  const content = Buffer.from(`\ufeff${implicit}`, 'utf16le');
  const folder = folderWith(context, { 'a.py': content });
  const { stderr } = runCli(['check', '--fix', 'a.py'], { cwd: folder.path });
  assert.match(stderr, /a\.py: not fixed: it is UTF-16, not UTF-8/);
  assert.deepEqual(folder.bytes('a.py'), content);
});

test('bad input: brackets that never close, nested a hundred thousand deep', (context) => {
  const { code } = check(context, `${implicit}x = ${'('.repeat(100_000)}\n`);
  assert.ok(code === 0 || code === 1);
});

test('bad input: a file of 10 MB is passed over within seconds, and that is said', (context) => {
  const started = performance.now();
  const { code, stderr } = check(context, implicit + 'x = [1, 2, 3]\n'.repeat(750_000));
  assert.equal(stderr, 'checkpoint-lens: a.py: not checked: larger than 4 MB\n');
  assert.equal(code, 2);
  assert.ok(performance.now() - started < 20_000);
});

test('bad input: 10 MB that never mention a checkpoint are not even decoded', (context) => {
  const { code, stderr } = check(context, 'x = [1, 2, 3]\n'.repeat(750_000));
  assert.equal(stderr, '');
  assert.equal(code, 0);
});

test('a rule that throws is named once, and the others report', () => {
  const broken: Rule = {
    code: 'AC999',
    name: 'broken',
    severity: 'error',
    summary: 'always throws',
    check() {
      throw new Error('no such luck');
    },
  };
  const said: string[] = [];
  const request = {
    rules: [broken, ...allRules],
    versions: {},
    severities: {},
    onCrash: crashReporter((line) => said.push(line)),
  };
  const source = { text: implicit, byteOrderMark: false, damage: undefined };
  for (let file = 0; file < 3; file++) {
    const { diagnostics } = checkSource('train.py', source, tools, request, false);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AC101'],
    );
  }
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^AC999 .*no such luck/);
});
