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
