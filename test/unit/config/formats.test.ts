// biome-ignore-all lint/suspicious/noTemplateCurlyInString: YAML readers fill such placeholders in
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../server/core/config/json.ts';
import type { ParsedConfig } from '../../../server/core/config/parsedConfig.ts';
import { parseToml } from '../../../server/core/config/toml.ts';
import { type ConfigNode, entryAt, isMissing, mappingAt, switchAt, valueAt } from '../../../server/core/config/tree.ts';
import { parseYaml } from '../../../server/core/config/yaml.ts';
import { plainYamlScalar } from '../../../server/core/config/yamlScalar.ts';

/** A node as JavaScript would have it. */
function plain(node: ConfigNode | undefined): unknown {
  switch (node?.kind) {
    case 'mapping':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
    case 'sequence':
      return node.items.map(plain);
    case 'scalar':
      return node.value;
    default:
      return '?';
  }
}

const marked = (text: string, { unreliable }: ParsedConfig): string[] =>
  unreliable.map(({ start, end }) => text.slice(start, end).trim());

const written = (text: string, node: ConfigNode | undefined, ...path: string[]): string | undefined => {
  const entry = entryAt(node, ...path);
  return entry && `${text.slice(entry.keyAt.start, entry.keyAt.end)}|${text.slice(entry.value.start, entry.value.end)}`;
};

test('YAML: mappings, sequences and scalars with their places', () => {
  const text = 'a: 1\nblock:\n  on_off: yes\n  list: [x, "y", 3e-4]\n  nothing:\n  😀: ok\nlast: |\n  two\n  lines\n';
  const { root, unreliable } = parseYaml(text);
  assert.deepEqual(unreliable, []);
  assert.deepEqual(plain(root), {
    a: 1,
    block: { on_off: true, list: ['x', 'y', '3e-4'], nothing: null, '😀': 'ok' },
    last: 'two\nlines\n',
  });
  assert.equal(written(text, root, 'block', 'on_off'), 'on_off|yes');
  assert.equal(written(text, root, 'block', '😀'), '😀|ok');
  assert.equal(written(text, root, 'block', 'nothing'), 'nothing|');
});

test('YAML: what PyYAML makes of plain scalars', () => {
  const cases: [string, unknown][] = [
    ['3e-4', '3e-4'],
    ['3.0e-4', 0.0003],
    ['3.0e4', '3.0e4'],
    ['1_000', 1000],
    ['0x1F', 31],
    ['0b101', 5],
    ['010', 8],
    ['1:30', 90],
    ['.5', 0.5],
    ['-.inf', Number.NEGATIVE_INFINITY],
    ['+7', 7],
    ['Yes', true],
    ['off', false],
    ['y', 'y'],
    ['True', true],
    ['tRUE', 'tRUE'],
    ['~', null],
    ['null', null],
    ['', null],
    ['1.2.3', '1.2.3'],
    ['2024-01-01', '2024-01-01'],
  ];
  for (const [text, value] of cases) assert.equal(plainYamlScalar(text), value, text);
  const { root } = parseYaml('a: "yes"\nb: !!str yes\nc: ${oc.env:X}\nd: on # comment\n');
  assert.deepEqual(plain(root), { a: 'yes', b: 'yes', c: '?', d: true });
});

test('YAML: anchors, aliases and merge keys', () => {
  const text = 'base: &base {gc: true, n: 1}\nrun:\n  <<: *base\n  n: 2\nsame: *base\nlater: *missing\n';
  const { root } = parseYaml(text);
  assert.equal(switchAt(root, 'run', 'gc'), true);
  assert.equal(entryAt(root, 'run', 'gc')?.shared, true);
  assert.equal(plain(valueAt(root, 'run', 'n')), 2);
  assert.equal(entryAt(root, 'run', 'n')?.shared, false);
  assert.equal(entryAt(root, 'same')?.shared, true);
  assert.equal(valueAt(root, 'later')?.kind, 'unknown');
  const cycle = parseYaml('a: &a\n  self: *a\n  b: 1\n').root;
  assert.equal(valueAt(cycle, 'a', 'self')?.kind, 'unknown');
  assert.equal(mappingAt(parseYaml('x:\n  <<: *nobody\n').root, 'x')?.complete, false);
});

test('YAML: a half-typed line is marked and the rest is kept', () => {
  const text = 'model: x\ngradient_checkpointing: tr\nbroken: [1, 2\nafter: true\n';
  const parsed = parseYaml(text);
  assert.equal(plain(valueAt(parsed.root, 'model')), 'x');
  assert.ok(parsed.unreliable.length > 0);
  const typing = parseYaml('a: 1\nb\n');
  assert.equal(plain(valueAt(typing.root, 'a')), 1);
});

test('JSON: comments, trailing commas, repeated keys', () => {
  const text = '{\n  // why\n  "a": 1, /* and */ "b": {"c": [true, null, "x"],},\n  "a": 2,\n}\n';
  const parsed = parseJson(text);
  assert.deepEqual(parsed.unreliable, []);
  assert.deepEqual(plain(parsed.root), { a: 2, b: { c: [true, null, 'x'] } });
  assert.equal(written(text, parsed.root, 'b', 'c'), '"c"|[true, null, "x"]');
  assert.deepEqual(
    parsed.comments().map((comment) => comment.text),
    ['# why', '# and */'],
  );
});

test('JSON: a half-typed entry is marked and the rest is kept', () => {
  const text = '{\n  "a": true,\n  "b": \n  "c": {"d": 1}\n}\n';
  const parsed = parseJson(text);
  assert.equal(plain(valueAt(parsed.root, 'a')), true);
  assert.ok(parsed.unreliable.length > 0);
  assert.equal(mappingAt(parseJson('{"a": {"b": 1').root, 'a')?.kind, 'mapping');
});

test('TOML: tables, dotted keys, arrays of tables', () => {
  const text = [
    'title = "x" # note',
    '[training]',
    'seq_len = 8_192',
    'inner.flag = true',
    '[[run]]',
    'n = 1',
    '[[run]]',
    'n = 2.5',
    'point = {x = 1, y = [2, 3]}',
    '[training.more]',
    'when = 2024-01-01',
    '',
  ].join('\n');
  const parsed = parseToml(text);
  assert.deepEqual(plain(parsed.root), {
    title: 'x',
    training: { seq_len: 8192, inner: { flag: true }, more: { when: '?' } },
    run: [{ n: 1 }, { n: 2.5, point: { x: 1, y: [2, 3] } }],
  });
  assert.equal(written(text, parsed.root, 'training', 'seq_len'), 'seq_len|8_192');
  assert.deepEqual(
    parsed.comments().map(({ text: comment }) => comment.trim()),
    ['# note'],
  );
});

test('TOML: lines that cannot be read are blanked out and marked', () => {
  const text = '[a]\nx = 1\ny = \nx = 2\n[b]\nz = tru\nw = "end"\n';
  const parsed = parseToml(text);
  assert.deepEqual(plain(parsed.root), { a: { x: 1 }, b: { w: 'end' } });
  assert.deepEqual(marked(text, parsed), ['y =', 'z = tru', 'x = 2']);
});

test('a missing key is certain only where all keys are known', () => {
  const { root } = parseYaml('a: {}\nb:\n  ? [1]\n  : x\n');
  assert.equal(isMissing(mappingAt(root, 'a')!, 'x'), true);
  assert.equal(isMissing(mappingAt(root, 'b')!, 'x'), false);
});
