import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microBatchesInFlight } from '../../../server/core/states/pipelineSchedule.ts';

const inFlight = (kind: 'gpipe' | '1f1b' | 'interleaved', stages: number, stage: number, chunks: number, m: number) =>
  microBatchesInFlight({ kind, stages, stage, chunks, microBatches: m }).microBatches;

test('micro-batches a pipeline stage holds', () => {
  assert.equal(inFlight('gpipe', 4, 2, 1, 16), 16);
  assert.deepEqual(
    [0, 1, 2, 3].map((stage) => inFlight('1f1b', 4, stage, 1, 16)),
    [4, 3, 2, 1],
  );
  assert.equal(inFlight('1f1b', 8, 0, 1, 2), 2);
  assert.equal(inFlight('1f1b', 1, 0, 1, 16), 1);
  // p(1 + (p − 1)/(pv)), Table 3's 175B: p = 8 stages of 3 chunks.
  assert.equal(inFlight('interleaved', 8, 0, 3, 64), 8 * (1 + 7 / (8 * 3)));
  assert.equal(inFlight('interleaved', 1, 0, 1, 4), 1);
});

test('a pipeline moves activations to the first stage and does not lower them there', () => {
  // L/p layers for each of p micro-batches are L layers.
  const layers = 32;
  const stages = 8;
  assert.equal((layers / stages) * inFlight('1f1b', stages, 0, 1, 64)!, layers);
});

test('an impossible schedule is named', () => {
  for (const bad of [{ stage: 4 }, { stage: -1 }, { stages: 0 }, { chunks: 1e30 }, { microBatches: 1.5 }]) {
    const schedule = { kind: '1f1b', stages: 4, stage: 0, chunks: 1, microBatches: 8, ...bad } as const;
    const { microBatches, problems } = microBatchesInFlight(schedule);
    assert.equal(microBatches, undefined);
    assert.equal(problems.length, 1);
  }
  const uneven = microBatchesInFlight({ kind: 'interleaved', stages: 4, stage: 0, chunks: 2, microBatches: 6 });
  assert.deepEqual(
    uneven.problems.map(({ field }) => field),
    ['pipeline.stages'],
  );
});
