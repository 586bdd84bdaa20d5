import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf } from '../../accuracy/comparison.ts';
import { accuracySections } from '../../accuracy/sections.ts';

// What `npm run accuracy` prints, without the times: a bar that is missed is a number that has gone wrong.
const sections = accuracySections();
for (const section of sections) {
  for (const { name, reached, passed } of section.bars) {
    test(`${section.title}: ${name}`, () => assert.ok(passed, reached));
  }
}

test('no row that has an answer loses it', () => {
  const covered = Object.fromEntries(sections.map(({ title, comparisons }) => [title, errorsOf(comparisons).length]));
  for (const [title, least] of Object.entries(leastCovered)) {
    const count = covered[title] ?? 0;
    assert.ok(count >= least, `${title}: ${count} numbers are compared, ${least} were`);
  }
});

/** Grows as families are added; a family that stops answering must not pass unseen. */
const leastCovered: Readonly<Record<string, number>> = {
  'Saved for backward': 562,
  'Peaks under checkpointing': 170,
  'Adapters, frozen weights, autocast': 73,
  'A real allocator on the CPU': 24,
  'Published formulas': 245,
  "PyTorch's plans under a memory budget": 7,
  'Measured on GPUs by others': 54,
};
