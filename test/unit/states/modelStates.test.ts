import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDevice, precisions, type StatesSetup, zeroDefaults } from '../../../server/core/states/setup.ts';
import { type ModelWeights, weightElements } from '../../../server/core/states/weights.ts';
import { counted, line, llama, problems, quantised, states, weightsOf, zero } from './examples.ts';

const gpt2 = llama({
  family: 'gpt2',
  layers: 12,
  hidden: 768,
  heads: 12,
  keyValueHeads: 12,
  headDimension: 64,
  feedForward: 3072,
  vocabulary: 50257,
  maximumSequence: 1024,
  tiedEmbeddings: true,
  bias: true,
});

test('the weights of a graph are as many as the model has parameters', () => {
  const total = (model: Parameters<typeof weightsOf>[0]) => weightElements(weightsOf(model).units);
  // transformers' num_parameters() of GPT-2, Llama-3-8B and Llama-3.2-1B.
  assert.equal(total(gpt2), 124_439_808);
  assert.equal(total(llama({})), 8_030_261_248);
  const small = { layers: 16, hidden: 2048, headDimension: 64, feedForward: 8192, tiedEmbeddings: true };
  assert.equal(total(llama(small)), 1_235_814_400);
});

test('autocast changes neither roles nor cuts', () => {
  const plain = weightsOf(gpt2, { dataType: 'fp32' });
  assert.deepEqual(weightsOf(gpt2, { dataType: 'bf16', autocast: true }), plain);
});

test('every line says what it is, and the lines add up', () => {
  const account = states(weightsOf(gpt2), { precision: precisions.megatron, sharding: zero(1, 4) });
  for (const part of account.parts)
    for (const text of [part.key, part.label, part.formula, part.source]) assert.notEqual(text, '');
  const sum = account.parts.reduce((total, { bytes }) => total + bytes, 0);
  assert.equal(account.deviceBytes.step, sum);
  assert.equal(new Set(account.parts.map(({ key }) => key)).size, account.parts.length);
});

test('Megatron: 18 bytes a parameter, 6 + 12/dp with the distributed optimizer', () => {
  const weights = counted(1_000_000);
  const bytes = (sharding: StatesSetup['sharding']) =>
    states(weights, { precision: precisions.megatron, sharding }).deviceBytes.step;
  assert.equal(bytes({ kind: 'none' }), 18_000_000);
  assert.equal(bytes(zero(1, 8)), 6_000_000 + 12_000_000 / 8);
});

test('gradients come with backward, and stay where they add up', () => {
  const weights = counted(1000);
  assert.deepEqual(states(weights).deviceBytes, { forward: 12_000, backward: 16_000, step: 16_000 });
  assert.equal(states(weights, { microBatchesPerStep: 4 }).deviceBytes.forward, 16_000);
  assert.equal(states(weights, { foreachStep: true }).deviceBytes.step, 20_000);
  const inBackward = states(counted(900, 100), { optimizerInBackward: true });
  assert.deepEqual(inBackward.deviceBytes, { forward: 12_000, backward: 12_000 + 3600, step: 12_000 });
});

test('DDP holds gradients twice unless they are views of its buckets', () => {
  const ddp = (gradientAsBucketView: boolean) =>
    states(counted(1000), { sharding: { kind: 'ddp', ranks: 8, gradientAsBucketView } }).deviceBytes;
  assert.deepEqual(ddp(false), { forward: 16_000, backward: 20_000, step: 20_000 });
  assert.deepEqual(ddp(true), { forward: 16_000, backward: 16_000, step: 16_000 });
});

test('DeepSpeed’s buffers count as configured', () => {
  const setup = { precision: precisions.deepspeed };
  const sharding = { ...zeroDefaults, kind: 'zero', stage: 2, ranks: 8 } as const;
  assert.equal(line(counted(1e9), { ...setup, sharding }, 'reduce-bucket'), 1e9);
  const overlapped = { ...sharding, overlapCommunication: true } as const;
  assert.equal(line(counted(1e9), { ...setup, sharding: overlapped }, 'reduce-bucket'), 2e9);
  const third = { ...sharding, stage: 3 } as const;
  assert.equal(line(counted(1e9), { ...setup, sharding: third }, 'reduce-bucket'), 1e9);
  const small: ModelWeights = weightsOf(gpt2);
  // The norms, the biases and nothing else are smaller than 100,000 weights.
  const vectors = 12 * (4 * 768 + 2304 + 768 + 3072 + 768) + 2 * 768;
  assert.equal(line(small, { ...setup, sharding: third }, 'persistent-parameters'), 2 * vectors);
});

test('FSDP gathers the root and two layers, or all of them', () => {
  const model = llama({ layers: 4 });
  const weights = weightsOf(model);
  const sharding = {
    kind: 'fsdp',
    version: 2,
    ranks: 8,
    reshardAfterForward: true,
    gatheredType: 'bf16',
    reduceType: 'fp32',
    gatheredLayers: 2,
  } as const;
  const layer = 218_112_000;
  const root = 2 * 128256 * 4096 + 4096;
  assert.equal(line(weights, { sharding }, 'gathered-root'), 2 * root);
  assert.equal(line(weights, { sharding }, 'gathered-layers'), 2 * 2 * layer);
  assert.equal(
    line(weights, { sharding: { ...sharding, reshardAfterForward: false } }, 'gathered-layers'),
    2 * 4 * layer,
  );
  assert.equal(line(weights, { sharding }, 'unsharded-gradients'), 2 * root);
  assert.equal(line(weights, { sharding }, 'reduce-scatter-input'), 4 * root);
});

test('offload moves states to the host, and their gradients along', () => {
  const weights = counted(8000);
  const setup = { precision: precisions.deepspeed, sharding: zero(2, 8) };
  const account = states(weights, { ...setup, offload: { parameters: 'device', optimizer: 'host' } });
  assert.equal(account.deviceBytes.step, 2 * 8000);
  assert.equal(account.hostBytes, (2 + 4 + 4 + 8) * 1000);
  const third = states(weights, { ...setup, sharding: zero(3, 8), offload: { parameters: 'nvme', optimizer: 'nvme' } });
  assert.equal(third.deviceBytes.step, 0);
  assert.equal(third.nvmeBytes, 20 * 1000);
});

test('pipeline stages: embeddings first, head last, a tied head twice', () => {
  const layer = 7_087_872;
  const stage = (index: number, model = gpt2) =>
    states(weightsOf(model), { pipeline: { stages: 4, stage: index, chunks: 1 } }).parameters.onThisRank;
  assert.equal(stage(0), 3 * layer + (50257 + 1024) * 768);
  assert.equal(stage(1), 3 * layer);
  assert.equal(stage(3), 3 * layer + 2 * 768 + 50257 * 768);
  const untied = { ...gpt2, tiedEmbeddings: false };
  const whole = [0, 1, 2, 3].reduce((sum, index) => sum + stage(index, untied), 0);
  assert.equal(whole, weightElements(weightsOf(untied).units));
});

test('tensor parallelism leaves norms whole and lets the vocabulary be uneven', () => {
  const model = llama({
    layers: 1,
    vocabulary: 101,
    hidden: 8,
    heads: 4,
    keyValueHeads: 4,
    headDimension: 2,
    feedForward: 16,
  });
  const { parameters } = states(weightsOf(model), { tensorParallel: 4 });
  assert.equal(parameters.onThisRank, (4 * 64 + 3 * 128) / 4 + 3 * 8 + 2 * 26 * 8);
});

test('experts are divided, the rest is not', () => {
  const weights: ModelWeights = {
    units: [
      {
        name: 'layer',
        place: 'layers',
        repeats: 2,
        tensors: [
          { name: 'router', shape: [8, 16], role: 'linear', trainable: true },
          { name: 'experts.up', shape: [32, 16], copies: 8, role: 'linear', trainable: true, expert: true },
          { name: 'experts.down', shape: [8, 16, 32], role: 'other', trainable: true, expert: true },
        ],
      },
    ],
  };
  const expert = 2 * 2 * 8 * 32 * 16;
  const dense = 2 * 8 * 16;
  const { parameters } = states(weights, { expertParallel: 4 });
  assert.equal(parameters.onThisRank, dense + expert / 4);
  // Eight ranks share the dense weights, but only the two with the same experts share those.
  const setup = { expertParallel: 4, sharding: zero(3, 8) };
  assert.equal(line(weights, setup, 'parameters-fp32'), 4 * (dense / 8 + expert / 4 / 2));
  assert.deepEqual(
    problems(weights, { expertParallel: 3 }).map(({ field }) => field),
    ['expertParallel', 'expertParallel'],
  );
});

test('LoRA trains the adapters only', () => {
  const adapters = { rank: 8, targets: ['q_proj', 'v_proj'], dropout: 0, elementType: 'fp32' } as const;
  const trained = 32 * 8 * (4096 + 4096 + 4096 + 1024);
  const account = states(weightsOf(llama({}), { adapters }), { precision: precisions.pureBf16 });
  assert.equal(account.parameters.trainable, trained);
  assert.equal(account.parts.find(({ key }) => key === 'parameters-fp32')?.bytes, 4 * trained);
  assert.equal(account.parts.find(({ key }) => key === 'gradients')?.bytes, 4 * trained);
  assert.equal(account.parts.find(({ key }) => key === 'first-moment')?.bytes, 4 * trained);
});

test('double quantisation shrinks the scales', () => {
  const weights = quantised(llama({}), { rank: 8, targets: [], dropout: 0, elementType: 'fp32' }, 'bf16');
  const linears = 32 * 218_103_808;
  const scales = (doubleQuantised: boolean) =>
    line(weights, { precision: precisions.pureBf16, doubleQuantised }, 'quantisation-scales');
  assert.equal(scales(false), linears / 16 + 64 * 7 * 32);
  // 0.127 bits a weight, and three small tables for each tensor.
  assert.equal(scales(true), linears / 64 + linears / 64 / 64 + 1092 * 7 * 32);
});

const bad: readonly (readonly [string, Partial<StatesSetup>])[] = [
  ['tensorParallel', { tensorParallel: 0 }],
  ['tensorParallel', { tensorParallel: 3 }],
  ['contextParallel', { contextParallel: Number.NaN }],
  ['expertParallel', { expertParallel: -1 }],
  ['microBatchesPerStep', { microBatchesPerStep: 1.5 }],
  ['sharding.ranks', { sharding: { ...zero(3, 8), ranks: 1e30 } }],
  ['sharding.reduceBucketElements', { sharding: { ...zero(3, 8), reduceBucketElements: -1 } }],
  ['sharding.ranks', { sharding: { kind: 'ddp', ranks: Number.POSITIVE_INFINITY, gradientAsBucketView: false } }],
  ['pipeline.stage', { pipeline: { stages: 4, stage: 4, chunks: 1 } }],
  ['pipeline.stages', { pipeline: { stages: 0, stage: 0, chunks: 1 } }],
  ['pipeline.stages × pipeline.chunks', { pipeline: { stages: 5, stage: 0, chunks: 1 } }],
];

for (const [field, setup] of bad) {
  test(`impossible input is named: ${JSON.stringify(setup)}`, () => {
    const found = problems(weightsOf(llama({ heads: 32 })), setup);
    assert.ok(found.length > 0);
    for (const problem of found) {
      assert.equal(problem.field, field);
      assert.notEqual(problem.accepted, '');
    }
  });
}

test('impossible weights are named', () => {
  for (const count of [-1, 0, 1.5, Number.NaN, 1e30, Number.POSITIVE_INFINITY])
    assert.deepEqual(
      problems(counted(count), {}).map(({ field }) => field),
      ['weights.all.part0.shape'],
    );
  assert.deepEqual(
    problems({ units: [] }, {}).map(({ field }) => field),
    ['weights.units'],
  );
  assert.deepEqual(
    problems(counted(1e15, 1e15), {}).map(({ field }) => field),
    ['weights'],
  );
  assert.equal(states(counted(1), oneDevice).deviceBytes.step, 16);
});
