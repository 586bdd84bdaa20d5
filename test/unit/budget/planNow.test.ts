import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../../../server/core/budget/plan.ts';
import { planNow } from '../../../server/core/budget/planNow.ts';
import type { CheckpointingNow } from '../../../server/core/facts/facts.ts';

/** `2 checkpoint, 4 plain`: the regions of a plan in order. */
const told = (plan: Plan): string =>
  plan
    .map(({ layers, treatment }) => `${layers} ${treatment.kind === 'part' ? treatment.part : treatment.kind}`)
    .join(', ');

const becomes = (title: string, now: CheckpointingNow, layers: number, expected: string): void =>
  void test(title, () => assert.equal(told(planNow(now, layers)), expected));

becomes('no checkpointing', { mode: 'none', segment: 1 }, 3, '3 plain');
becomes('segments', { mode: 'full', segment: 2 }, 5, '2 checkpoint, 2 checkpoint, 1 checkpoint');
becomes('every second layer', { mode: 'full', segment: 1, every: 2 }, 3, '1 checkpoint, 1 plain, 1 checkpoint');
becomes('the first layers', { mode: 'full', segment: 1, layers: 2 }, 5, '1 checkpoint, 1 checkpoint, 3 plain');
becomes('none of the layers', { mode: 'full', segment: 1, layers: 0 }, 5, '5 plain');
becomes('more layers than there are', { mode: 'full', segment: 3, layers: 9 }, 3, '3 checkpoint');
becomes('the attention core', { mode: 'selective', segment: 1 }, 4, '4 attention-scores');
becomes(
  'the attention core of the first layers',
  { mode: 'selective', segment: 1, layers: 1 },
  4,
  '1 attention-scores, 3 plain',
);
becomes(
  'segments of checkpoint_sequential as it was asked for: the last one takes the rest',
  { mode: 'sequential', segment: 2, segments: 5 },
  12,
  '2 checkpoint, 2 checkpoint, 2 checkpoint, 2 checkpoint, 4 plain',
);
becomes(
  'a length that is tried in place of what the code asks for',
  { mode: 'sequential', segment: 6, segments: 5 },
  12,
  '6 checkpoint, 6 plain',
);
