import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AllowanceInput, allowanceParts, withAllowance } from '../../../server/core/states/allowance.ts';
import { whatCheckpointingCanLower } from '../../../server/core/states/checkpointingShare.ts';
import { MiB } from './examples.ts';

const input: AllowanceInput = {
  generation: 'hopper',
  lastingBytes: 40e9,
  passingBytes: 20e9,
  attention: 'fused',
  communicators: 0,
};

test('an allowance is a range whose every part says why', () => {
  for (const generation of ['turing', 'ampere', 'hopper', 'blackwell', 'cdna3', undefined] as const)
    for (const attention of ['eager', 'fused'] as const) {
      const { parts } = allowanceParts({ ...input, generation, attention, communicators: 2 });
      assert.deepEqual(
        parts.map(({ key }) => key),
        ['cuda-context', 'cublas-workspace', 'fragmentation', 'nccl-buffers'],
      );
      for (const part of parts) {
        assert.ok(0 < part.low && part.low <= part.expected && part.expected <= part.high, part.key);
        assert.notEqual(part.reason, '');
        assert.notEqual(part.source, '');
      }
      const { low, expected, high } = withAllowance(60e9, parts);
      assert.ok(60e9 < low && low < expected && expected < high);
    }
});

test('cuBLAS workspaces as torch allocates them', () => {
  const workspace = (generation: AllowanceInput['generation']) =>
    allowanceParts({ ...input, generation }).parts.find(({ key }) => key === 'cublas-workspace')?.low;
  assert.equal(workspace('ampere'), 8_519_680);
  assert.equal(workspace('hopper'), 32 * MiB);
});

test('without other ranks there are no NCCL buffers', () => {
  assert.equal(allowanceParts(input).parts.length, 3);
});

test('impossible amounts are named', () => {
  for (const bad of [{ passingBytes: -1 }, { lastingBytes: Number.NaN }, { communicators: 1e30 }]) {
    const { parts, problems } = allowanceParts({ ...input, ...bad });
    assert.deepEqual(parts, []);
    assert.deepEqual(
      problems.map(({ field }) => field),
      Object.keys(bad),
    );
  }
});

const gigabytes = (bytes: number): string => `${bytes / 1e9} GB`;

test('optimizer states that fill the device are named before checkpointing', () => {
  const { share } = whatCheckpointingCanLower(
    {
      fixed: [
        { label: 'Parameters', bytes: 14e9 },
        { label: 'Optimizer states', bytes: 44e9 },
      ],
      activationBytes: 13e9,
      leastActivationBytes: 4e9,
    },
    gigabytes,
  );
  assert.equal(share?.freeableBytes, 9e9);
  assert.equal(share?.untouched[0]?.label, 'Optimizer states');
  assert.deepEqual(share?.sentences, [
    'Optimizer states: 62 % of the memory, which no checkpointing lowers; checkpointing frees at most 9 GB of 71 GB',
    'Activations are not what fills the device (18 %): sharding, a smaller optimizer state or offload lowers more',
  ]);
});

test('logits that fill the device are not lowered by sharding states', () => {
  const { share } = whatCheckpointingCanLower(
    {
      fixed: [
        { key: 'optimizer', label: 'Optimizer states', bytes: 5e9 },
        { key: 'head', label: 'Head and loss', bytes: 25e9 },
      ],
      activationBytes: 1e9,
      leastActivationBytes: 0,
    },
    gigabytes,
  );
  assert.equal(share?.sentences[1], 'A fused or chunked loss, which never has all logits at once, lowers more');
});

test('activations that fill the device are what checkpointing is for', () => {
  const { share } = whatCheckpointingCanLower(
    { fixed: [{ label: 'Parameters', bytes: 2e9 }], activationBytes: 30e9, leastActivationBytes: 3e9 },
    gigabytes,
  );
  assert.deepEqual(share?.sentences, [
    'Activations are 94 % of the memory: checkpointing frees at most 27 GB of 32 GB',
  ]);
});

test('nothing left to free is said, nothing at all is not', () => {
  const least = whatCheckpointingCanLower(
    { fixed: [{ label: 'Parameters', bytes: 2e9 }], activationBytes: 3e9, leastActivationBytes: 3e9 },
    gigabytes,
  );
  assert.deepEqual(least.share?.sentences, ['Checkpointing can free nothing more of the 5 GB']);
  const none = whatCheckpointingCanLower({ fixed: [], activationBytes: 0, leastActivationBytes: 0 }, gigabytes);
  assert.deepEqual(none.share?.sentences, []);
  assert.equal(none.share?.freeableShare, 0);
  const bad = whatCheckpointingCanLower(
    { fixed: [], activationBytes: Number.NaN, leastActivationBytes: -1 },
    gigabytes,
  );
  assert.deepEqual(
    bad.problems.map(({ field }) => field),
    ['activationBytes', 'leastActivationBytes'],
  );
});
