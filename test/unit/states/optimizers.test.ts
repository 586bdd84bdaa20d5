import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Optimizer } from '../../../server/core/states/optimizers.ts';
import { type FsdpSharding, oneDevice, precisions } from '../../../server/core/states/setup.ts';
import type { ModelWeights, WeightTensor } from '../../../server/core/states/weights.ts';
import measured from '../../goldens/optimizer-states.json';
import { counted, line, problems, states } from './examples.ts';

const optimizers: Readonly<Record<string, Optimizer>> = {
  adamw: { name: 'adamw' },
  'adamw amsgrad': { name: 'adamw', amsgrad: true },
  'adamw foreach': { name: 'adamw' },
  sgd: { name: 'sgd', momentum: false },
  'sgd momentum': { name: 'sgd', momentum: true },
  adafactor: { name: 'adafactor', library: 'torch', firstMoment: false },
  muon: { name: 'muon' },
};

const named = (shapes: readonly (readonly number[])[], role: WeightTensor['role'] = 'linear'): ModelWeights => ({
  units: [
    {
      name: 'all',
      place: 'layers',
      repeats: 1,
      tensors: shapes.map((shape, at) => ({ name: `tensor${at}`, shape, role, trainable: true })),
    },
  ],
});

const optimizerBytes = (weights: ModelWeights, setup: Parameters<typeof states>[1]): number =>
  states(weights, setup)
    .parts.filter(({ group }) => group === 'optimizer')
    .reduce((sum, { bytes }) => sum + bytes, 0);

for (const row of measured.oneDevice) {
  test(`torch keeps as many bytes: ${row.optimizer} on ${row.type}`, () => {
    const precision = row.type === 'bf16' ? precisions.pureBf16 : precisions.fp32;
    const expected = Object.values(row.states).reduce((sum, bytes) => sum + bytes, 0);
    assert.equal(optimizerBytes(named(row.shapes), { precision, optimizer: optimizers[row.optimizer]! }), expected);
  });
}

const fsdp = (changes: Partial<FsdpSharding> = {}): FsdpSharding => ({
  kind: 'fsdp',
  version: 2,
  ranks: 8,
  reshardAfterForward: true,
  gatheredType: 'bf16',
  reduceType: 'fp32',
  gatheredLayers: 2,
  ...changes,
});

test('torch’s fully_shard leaves as many bytes on the first rank', () => {
  const { weights, parameterBytes, gradientBytes, states: kept } = measured.fullyShard;
  const model = named(Object.values(weights));
  const setup = { sharding: fsdp() };
  assert.equal(line(model, setup, 'parameters-fp32'), parameterBytes);
  assert.equal(line(model, setup, 'gradients'), gradientBytes);
  assert.equal(line(model, setup, 'first-moment'), kept.exp_avg);
  assert.equal(line(model, setup, 'second-moment'), kept.exp_avg_sq);
});

test('FSDP 1 pads a flat unit, ZeRO all weights at once', () => {
  const model = named([[301, 100], [301]]);
  const elements = 301 * 100 + 301;
  assert.equal(line(model, { sharding: fsdp({ version: 1 }) }, 'parameters-fp32'), 4 * Math.ceil(elements / 8));
});

const bitsandbytes = {
  name: 'bitsandbytes',
  algorithm: 'adamw',
  bits: 8,
  paged: false,
  embeddings32Bit: false,
} as const;

test('8-bit AdamW: two bytes a weight, a scale for every 256, small tensors in fp32', () => {
  const large = named([[1000, 1000]]);
  const setup = { optimizer: bitsandbytes };
  assert.equal(line(large, setup, 'first-moment'), 1_000_000);
  assert.equal(line(large, setup, 'state-scales'), 2 * 4 * Math.ceil(1_000_000 / 256));
  assert.equal(line(large, setup, 'quantisation-maps'), 2048);
  assert.equal(line(named([[4095]]), setup, 'first-moment'), 4 * 4095);
  assert.equal(line(named([[4095]]), setup, 'quantisation-maps'), 0);
  assert.equal(line(named([[4096]]), setup, 'first-moment'), 4096);
});

test('the Trainer keeps the states of embeddings at 32 bits', () => {
  const embedding = named([[1000, 1000]], 'embedding');
  assert.equal(line(embedding, { optimizer: bitsandbytes }, 'second-moment'), 1_000_000);
  const setup = { optimizer: { ...bitsandbytes, embeddings32Bit: true } };
  assert.equal(line(embedding, setup, 'second-moment'), 4_000_000);
});

test('large states are paged, small ones stay on the device', () => {
  const model = named([[1000, 1000], [1000]]);
  const account = states(model, { optimizer: { ...bitsandbytes, bits: 32, paged: true } });
  assert.equal(account.pagedBytes, 2 * 4 * 1_000_000);
  assert.equal(account.parts.find(({ key }) => key === 'first-moment')?.bytes, 4000);
});

test('Lion has one state, transformers’ Adafactor keeps fp32', () => {
  const model = named([[100, 200]]);
  const pureBf16 = { precision: precisions.pureBf16 };
  assert.equal(optimizerBytes(model, { ...pureBf16, optimizer: { name: 'lion' } }), 2 * 20_000);
  assert.equal(optimizerBytes(model, { optimizer: { ...bitsandbytes, algorithm: 'lion', bits: 32 } }), 4 * 20_000);
  const adafactor = { name: 'adafactor', library: 'transformers', firstMoment: false } as const;
  assert.equal(optimizerBytes(model, { ...pureBf16, optimizer: adafactor }), 4 * 300);
  assert.equal(optimizerBytes(model, { ...pureBf16, optimizer: { ...adafactor, firstMoment: true } }), 4 * 20_300);
});

test('Muon leaves embeddings, head and vectors to AdamW', () => {
  const optimizer = { name: 'muon' } as const;
  assert.equal(optimizerBytes(named([[100, 200]]), { optimizer }), 4 * 20_000);
  for (const role of ['embedding', 'head'] as const)
    assert.equal(optimizerBytes(named([[100, 200]], role), { optimizer }), 8 * 20_000);
  assert.equal(optimizerBytes(named([[100]]), { optimizer }), 8 * 100);
});

test('an optimizer that needs shapes says so where there are none', () => {
  const adafactor = optimizers.adafactor!;
  const fields = (setup: Parameters<typeof states>[1], weights = counted(1000)) =>
    problems(weights, setup ?? {}).map(({ field, given }) => `${field} ${given}`);
  assert.deepEqual(fields({ optimizer: adafactor }), ['optimizer adafactor']);
  assert.deepEqual(fields({ optimizer: { name: 'muon' } }), ['optimizer muon']);
  assert.deepEqual(fields({ optimizer: { name: 'muon' }, sharding: fsdp({ version: 1 }) }, named([[8, 8]])), [
    'optimizer muon',
  ]);
  assert.deepEqual(fields({ optimizer: adafactor, sharding: fsdp() }, named([[8, 8]])), ['optimizer adafactor']);
  // A flat shard is a vector, whose second moment is kept whole; no shape is needed for that.
  const flat = states(counted(1000), { ...oneDevice, optimizer: adafactor, sharding: fsdp({ version: 1 }) });
  assert.equal(flat.parts.find(({ key }) => key === 'second-moment')?.bytes, 4 * 125);
  assert.equal(flat.notes.length, 1);
});
