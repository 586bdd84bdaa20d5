import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Origin } from '../../server/core/facts/facts.ts';
import { originMark } from '../../webview/origin.ts';
import { uri, written } from './sample.ts';

const place = written(0, 7).origin;
const mark = (origin: Origin) => originMark({ value: 1, origin }, uri);

test('a place in the shown file needs only its line; elsewhere the file is named', () => {
  assert.deepEqual(mark(place).mark, 'line 7');
  const elsewhere = mark(written(0, 7, 'file:///project/my%20configs/model.py').origin);
  assert.equal(elsewhere.mark, 'model.py:7');
  assert.equal(elsewhere.sentence, 'Written in model.py, line 7');
});

test('every kind of origin has a mark, a sentence and, where it has a place, a way there', () => {
  const at = place.kind === 'literal' ? place.place : undefined;
  assert.ok(at);
  const cases: readonly (readonly [Origin, string, boolean])[] = [
    [{ kind: 'registry', model: 'org/m' }, 'known', false],
    [{ kind: 'registry', model: 'org/m', place: at }, 'line 7', true],
    [{ kind: 'default', library: 'transformers', what: 'GPT2Config.n_layer' }, 'default', false],
    [{ kind: 'derived', from: 'n_embd / n_head' }, 'derived', false],
    [{ kind: 'assumed', why: 'nothing says it' }, 'assumed', false],
    [{ kind: 'chosen', by: 'the panel' }, 'what-if', false],
  ];
  for (const [origin, expected, leads] of cases) {
    const found = mark(origin);
    assert.equal(found.mark, expected);
    assert.notEqual(found.sentence, '');
    assert.equal(found.place !== undefined, leads, origin.kind);
  }
});

test('a path that is no valid URI is still readable', () => {
  assert.equal(mark(written(0, 7, 'C:\\work\\100%.py').origin).mark, '100%.py:7');
});
