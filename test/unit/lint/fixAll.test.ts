import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll, preferredEdits } from '../../../server/core/lint/fixAll.ts';
import type { Diagnostic } from '../../../server/core/lint/rule.ts';

/** A finding on each occurrence of `word`, with a preferred fix that puts `replacement` there. */
function findings(code: string, word: string, replacement: string): (text: string) => Diagnostic[] {
  return (text) =>
    [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => {
      const span = { start: index, end: index + word.length };
      const fixes = [{ title: 'fix', preferred: true, edits: [{ span, text: replacement }] }];
      return { code, name: code, severity: 'warning' as const, message: code, at: span, about: span, fixes };
    });
}

test('a fix that uncovers a finding of another rule is followed by that one', () => {
  const first = findings('AC901', 'aa', 'bb');
  const second = findings('AC902', 'bb', 'cc');
  assert.deepEqual(
    fixAll('aa aa', (text) => [...first(text), ...second(text)]),
    { text: 'cc cc', fixed: 4 },
  );
});

test('a fix that leaves its finding in place is not made', () => {
  assert.equal(fixAll('aa', findings('AC901', 'aa', 'aa aa')).text, 'aa');
});

test('two fixes that want the same place are made one after the other', () => {
  const check = (text: string): Diagnostic[] => [
    ...findings('AC901', 'aa', 'b')(text),
    ...findings('AC902', 'aa', 'b')(text),
  ];
  assert.equal(preferredEdits(check('aa')).length, 1);
  assert.equal(fixAll('aa', check).text, 'b');
});
