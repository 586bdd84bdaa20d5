import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';

const llama = knownModel('meta-llama/Meta-Llama-3-8B')!.shape!;
const gpt2 = knownModel('gpt2')!.shape!;
const run: RunShape = { batch: 1, sequence: 2048, dataType: 'bf16', autocast: false, attention: 'sdpa', dropout: 0 };

test('fused attention says that selective saves next to nothing, and it does', () => {
  const { pytorch, notes } = estimateBudget(llama, run, 4);
  const selective = pytorch!.strategies.find((each) => each.name === 'selective')!;
  assert.ok(selective.saving >= 0 && selective.saving < 0.02);
  assert.ok(notes.some((note) => note.startsWith('Attention is fused')));
  const eager = estimateBudget(llama, { ...run, attention: 'eager' }, 4);
  assert.ok(eager.pytorch!.strategies[2]!.saving > 0.5);
  assert.ok(!eager.notes.some((note) => note.startsWith('Attention is fused')));
});

test('grouped heads in fp32 have no fused kernel, and that is said', () => {
  const fp32 = estimateBudget(llama, { ...run, dataType: 'fp32' }, 1);
  assert.ok(fp32.notes.some((note) => note.startsWith('scaled_dot_product_attention has no fused kernel')));
  assert.ok(!fp32.notes.some((note) => note.startsWith('Attention is fused')));
  assert.equal(fp32.pytorch!.fusesAttention, false);
  const single = estimateBudget(gpt2, { ...run, sequence: 1024, dataType: 'fp32' }, 1);
  assert.equal(single.pytorch!.fusesAttention, true);
});

test('the strategies: none costs nothing, full a little less than one more forward', () => {
  const [none, full] = estimateBudget(llama, run, 1).pytorch!.strategies;
  assert.deepEqual([none!.extraForward, none!.extraStep, none!.saving], [0, 0, 0]);
  assert.ok(full!.extraForward > 0.6 && full!.extraForward < 1);
  assert.equal(full!.extraStep, full!.extraForward / 3);
});

test('k is only said to matter little where it does', () => {
  const matter = (layers: number): string =>
    estimateBudget(
      { ...gpt2, layers },
      { ...run, batch: 8, sequence: 1024, autocast: true, attention: 'sdpa' },
      1,
    ).notes.find((note) => note.includes('outweigh a layer')) ?? '';
  assert.match(matter(6), /, so k hardly matters$/);
  // The inputs of 48 layers beside the loss weigh much more than those of a few segments.
  assert.match(matter(48), /longer segments keep fewer inputs beside it, \d+ % less activations at k = \d+$/);
});

test('the segment is brought into range, and every length has a peak', () => {
  const { pytorch } = estimateBudget(gpt2, { ...run, sequence: 1024 }, 99);
  assert.equal(pytorch!.strategies[1]!.segment, 12);
  assert.equal(pytorch!.peaksBySegment.length, 12);
  assert.equal(Math.min(...pytorch!.peaksBySegment), pytorch!.peaksBySegment[pytorch!.bestSegment - 1]);
  assert.equal(estimateBudget(gpt2, run, Number.NaN).pytorch!.strategies[1]!.segment, 1);
});

test('sizes no model can have give notes instead of numbers', () => {
  const notes = (model: Partial<ModelShape>, more: Partial<RunShape> = {}) => {
    const budget = estimateBudget({ ...llama, ...model }, { ...run, ...more }, 1);
    assert.equal(budget.pytorch, undefined);
    return budget.notes;
  };
  assert.deepEqual(notes({ layers: 0 }), ['layers is 0, not a positive whole number']);
  assert.deepEqual(notes({}, { batch: Number.NaN }), ['batch size is NaN, not a positive whole number']);
  assert.deepEqual(notes({ keyValueHeads: 5 }), ['32 query heads do not divide into 5 key/value heads']);
  assert.equal(notes({ layers: 1e9 }).length, 1);
  assert.equal(notes({ hidden: 2 ** 40 }, { sequence: 2 ** 40 }).length, 1);
  assert.equal(notes({}, { dropout: -1 }).length, 1);
  assert.deepEqual(notes({ family: 'mixtral', settings: { num_local_experts: -8 } }), [
    'num_local_experts is -8, which no model has',
  ]);
  // A slip of digits in a setting must take neither all time nor all memory.
  assert.deepEqual(notes({ family: 't5', settings: { num_decoder_layers: 1e9 } }), [
    'these sizes are too large to count',
  ]);
});

test('never throws, never hangs, never a number that is none', () => {
  const odd = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(1, 2, 4, 8, 64) },
    fc.integer({ min: -2, max: 9 }),
    fc.integer({ min: 1, max: 2 ** 31 }),
    fc.double(),
    fc.constant(Number.NaN),
    fc.constant(Number.POSITIVE_INFINITY),
  );
  const model = fc.record({
    family: fc.constantFrom('gpt2', 'llama'),
    layers: fc.oneof(odd, fc.integer({ min: 1, max: 50 })),
    hidden: odd,
    heads: odd,
    keyValueHeads: odd,
    headDimension: odd,
    feedForward: odd,
    vocabulary: odd,
    maximumSequence: odd,
    activation: fc.constantFrom('gelu', 'gelu_new', 'silu', 'relu'),
    tiedEmbeddings: fc.boolean(),
    bias: fc.boolean(),
  }) as fc.Arbitrary<ModelShape>;
  const anyRun = fc.record({
    batch: odd,
    sequence: odd,
    dataType: fc.constantFrom('bf16', 'fp16', 'fp32'),
    autocast: fc.boolean(),
    attention: fc.constantFrom('eager', 'sdpa', 'flash', 'efficient', 'math'),
    dropout: fc.oneof(fc.constant(0), fc.double()),
  }) as fc.Arbitrary<RunShape>;
  fc.assert(
    fc.property(model, anyRun, odd, (shape, settings, segment) => {
      const text = JSON.stringify(estimateBudget(shape, settings, segment), (_, value) => {
        if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`a ${value} in the budget`);
        return value;
      });
      return text.length > 0;
    }),
    { numRuns: 1000 },
  );
});

test('checkpointing more never keeps more, and the parts add up', () => {
  const sizes = fc.record({
    layers: fc.integer({ min: 1, max: 64 }),
    batch: fc.integer({ min: 1, max: 8 }),
    sequence: fc.integer({ min: 1, max: 4096 }),
    attention: fc.constantFrom('eager', 'sdpa') as fc.Arbitrary<RunShape['attention']>,
    autocast: fc.boolean(),
    dropout: fc.constantFrom(0, 0.1),
  });
  fc.assert(
    fc.property(sizes, fc.boolean(), ({ layers, ...settings }, wide) => {
      const { pytorch } = estimateBudget({ ...(wide ? llama : gpt2), layers }, { ...run, ...settings }, 1);
      const [none, full, selective] = pytorch!.strategies;
      assert.equal(
        pytorch!.layerParts.reduce((sum, part) => sum + part.bytes, 0),
        pytorch!.layerBytes,
      );
      assert.equal(
        pytorch!.layersBytes.reduce((sum, bytes) => sum + bytes, pytorch!.outsideBytes),
        pytorch!.savedBytes,
      );
      assert.ok(full!.afterForwardBytes <= none!.afterForwardBytes);
      // Under autocast the core's inputs may be fp32 where what it keeps is 16-bit.
      if (!settings.autocast) assert.ok(selective!.afterForwardBytes <= none!.afterForwardBytes);
      for (const each of pytorch!.strategies) assert.ok(each.peakBytes >= each.afterForwardBytes);
    }),
    { numRuns: 100 },
  );
});

test('a family nobody has written yet gives a range around textbook blocks, and says that it is assumed', () => {
  const { pytorch, rough, notes } = estimateBudget({ ...llama, family: 'something_new' }, run, 1);
  assert.equal(pytorch, undefined);
  const known = estimateBudget(llama, run, 1).pytorch!.strategies;
  assert.ok(rough!.none.lowBytes < known[0]!.peakBytes && known[0]!.peakBytes < rough!.none.highBytes);
  assert.ok(rough!.full.lowBytes < known[1]!.peakBytes && known[1]!.peakBytes < rough!.full.highBytes);
  assert.match(notes.join(), /no PyTorch account for something_new models yet; the range is assumed/);
});
