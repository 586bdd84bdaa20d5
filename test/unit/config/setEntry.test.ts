import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../server/core/config/json.ts';
import { removeLines, setEntry } from '../../../server/core/config/setEntry.ts';
import { entryAt, mappingAt } from '../../../server/core/config/tree.ts';
import { parseYaml } from '../../../server/core/config/yaml.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';

function set(text: string, key: string, literal: string, parse = parseJson): string | undefined {
  const block = mappingAt(parse(text).root, 'b');
  const edits = block && setEntry(text, block, key, literal);
  return edits && applyEdits(text, edits);
}

test('JSON: a key is added in the layout of its mapping', () => {
  assert.equal(set('{"b": {"x": 1}}', 'y', 'true'), '{"b": {"x": 1, "y": true}}');
  assert.equal(set('{"b": {"x": 1, "y": false}}', 'y', 'true'), '{"b": {"x": 1, "y": true}}');
  assert.equal(set('{"b": {\n    "x": 1\n  }\n}', 'y', '2'), '{"b": {\n    "x": 1,\n    "y": 2\n  }\n}');
  assert.equal(set('{"b": {\n    "x": 1,\n  }}', 'y', '2'), '{"b": {\n    "x": 1,\n    "y": 2,\n  }}');
  assert.equal(set('{"b": {\n  "x": 1 // one\n}}', 'y', '2'), '{"b": {\n  "x": 1, // one\n  "y": 2\n}}');
  assert.equal(set('{"b": {\r\n  "x": {"z": 1}\r\n}}', 'y', '2'), '{"b": {\r\n  "x": {"z": 1},\r\n  "y": 2\r\n}}');
  assert.equal(set('{"b": {}}', 'y', '2'), undefined);
});

test('YAML: a key is added in the layout of its mapping', () => {
  assert.equal(set('b:\n  x: 1 # one\nc: 2\n', 'y', 'true', parseYaml), 'b:\n  x: 1 # one\n  y: true\nc: 2\n');
  assert.equal(set('b:\n  x:\n    z: 1\n', 'y', 'true', parseYaml), 'b:\n  x:\n    z: 1\n  y: true\n');
  assert.equal(set('b: {x: 1}\n', 'y', 'true', parseYaml), 'b: {x: 1, y: true}\n');
  assert.equal(set('b:\n  x: 1', 'y', 'true', parseYaml), 'b:\n  x: 1\n  y: true');
  assert.equal(set('b:\n  y: off\n', 'y', 'true', parseYaml), 'b:\n  y: true\n');
});

test('what is written for several places is not changed', () => {
  assert.equal(set('a: &a {x: 1}\nb:\n  <<: *a\n', 'x', '2', parseYaml), undefined);
  assert.equal(set('a: &a 1\nb:\n  x: *a\n', 'x', '2', parseYaml), undefined);
});

test('the lines of an entry are taken out whole', () => {
  const remove = (text: string, key: string): string | undefined => {
    const entry = entryAt(parseYaml(text).root, key);
    const edits = entry && removeLines(text, entry);
    return edits && applyEdits(text, edits);
  };
  assert.equal(remove('a: 1\nb: 2 # two\nc: 3\n', 'b'), 'a: 1\nc: 3\n');
  assert.equal(remove('a: 1\r\nb:\r\n  x: 1\r\nc: 3\r\n', 'b'), 'a: 1\r\nc: 3\r\n');
  assert.equal(remove('a: 1\nb: 2', 'b'), 'a: 1\n');
  assert.equal(remove('{a: 1, b: 2}\n', 'b'), undefined);
});
