import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutsAgain, cutsOf } from '../../../server/core/python/sections.ts';
import { changeBetween } from '../../../server/core/text/change.ts';
import { trainingCode } from '../../bench/trainingCode.ts';
import { apply, deceptive, edit } from '../../support/edits.ts';

const decorated = '@one("""\n@two\n""")\n@three\n# why\ndef f():\n    return "\\\n\'"\n\n';

for (const [what, source] of [
  ['strings and decorators', deceptive.repeat(8)],
  ['decorators one above the other', decorated.repeat(80)],
  ['training code', trainingCode(120)],
] as const) {
  test(`after any edits a text is cut where it is cut anew: ${what}`, () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        let text: string = source;
        let cuts = cutsOf(text);
        for (const one of edits) {
          const next = apply(text, one);
          cuts = cutsAgain(next, cuts, changeBetween(text, next));
          text = next;
          assert.deepEqual(cuts.starts, cutsOf(text).starts, JSON.stringify(text));
        }
      }),
      { numRuns: 500 },
    );
  });
}

test('a quote that makes two before it begin a long string is seen, wherever a text is cut again from', () => {
  for (let filler = 900; filler < 1_100; filler++) {
    const before = `${'x'.repeat(filler)}''# note\ndef f():\n    pass\n`;
    const after = before.replace("''", "'''");
    const cuts = cutsAgain(after, cutsOf(before), { start: filler + 2, end: filler + 2, newEnd: filler + 3 });
    assert.deepEqual(cuts.starts, [0]);
  }
});
