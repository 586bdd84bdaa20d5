import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { pytorchAccount, trainingStep } from '../../../server/core/budget/pytorch.ts';
import { weightCounts } from '../../../server/core/budget/weightCounts.ts';
import type { Adapters } from '../../../server/core/facts/facts.ts';
import { familyNamed } from '../../../server/core/families/generated/registry.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import rows from '../../goldens/measured-decoders.json';

interface Row {
  /** Keys of a `config.json`, or the sizes of a model that has none. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly shape?: ModelShape;
  readonly batch: number;
  readonly sequence: number;
  readonly dataType: RunShape['dataType'];
  readonly attention: RunShape['attention'];
  readonly dropout: number;
  readonly autocast?: boolean;
  readonly adapters?: Adapters;
  readonly parameters: number;
  readonly layersBytes?: readonly number[];
  /** Of an inner layer. */
  readonly layerBytes?: number;
  readonly outsideBytes?: number;
  readonly totalBytes?: number;
  /** Without and with every layer checkpointed. */
  readonly afterForward?: readonly [number, number];
  readonly peak?: readonly [number, number];
}

// Whole models on the meta device (torch 2.13, transformers 5.18): what autograd keeps, what is live after the forward pass,
// the peak over forward and backward. `flash` is FlashAttention, which knows windows; `sdpa` is given their masks, and
// `efficient` is one of its kernels, asked for.
for (const row of rows as unknown as readonly Row[]) {
  test(`measured: ${nameOf(row)}`, () => {
    const model = shapeOf(row);
    const run = runOf(row);
    assert.equal(familyNamed(model.family)?.problem(model, run), undefined);
    const account = pytorchAccount(model, run, 1)!;
    assert.equal(weightCounts(trainingStep(model, run)!).total, row.parameters);
    if (row.layersBytes) assert.deepEqual(account.layersBytes, row.layersBytes);
    if (row.layerBytes !== undefined) assert.equal(account.layerBytes, row.layerBytes);
    if (row.outsideBytes !== undefined) assert.equal(account.outsideBytes, row.outsideBytes);
    if (row.totalBytes !== undefined) assert.equal(account.savedBytes, row.totalBytes);
    for (const at of [0, 1]) {
      const strategy = account.strategies[at]!;
      if (row.afterForward) assert.equal(strategy.afterForwardBytes, row.afterForward[at]);
      if (row.peak) {
        const error = strategy.peakBytes / row.peak[at]! - 1;
        assert.ok(Math.abs(error) < 0.02, `${strategy.name}: ${strategy.peakBytes}, measured ${row.peak[at]}`);
      }
    }
  });
}

function shapeOf(row: Row): ModelShape {
  if (row.shape) return row.shape;
  const { shape, problems } = readHfConfig(row.config);
  assert.deepEqual(problems, []);
  return shape!;
}

const runOf = (row: Row): RunShape => ({
  batch: row.batch,
  sequence: row.sequence,
  dataType: row.dataType,
  autocast: row.autocast ?? false,
  attention: row.attention,
  dropout: row.dropout,
  kernels: 'meta',
  ...(row.adapters && { adapters: row.adapters }),
});

function nameOf(row: Row): string {
  const { config, shape } = row;
  const model = config
    ? `${config.model_type} ${Object.entries(config)
        .filter(([key]) => key !== 'model_type')
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`
    : `${shape?.family} ${shape?.hidden}`;
  const kind = `${row.autocast ? ' autocast' : ''}${row.adapters ? ' adapters' : ''}`;
  return `${model}, ${row.attention} ${row.dataType} b${row.batch} s${row.sequence} p${row.dropout}${kind}`;
}

const gemma2 = (window: number | null): ModelShape =>
  readHfConfig({ model_type: 'gemma2', num_hidden_layers: 4, sliding_window: window }).shape!;

const run = (attention: RunShape['attention'], sequence: number): RunShape => ({
  batch: 2,
  sequence,
  dataType: 'bf16',
  autocast: false,
  attention,
  dropout: 0,
});

test('a window costs eager attention and FlashAttention nothing to keep', () => {
  for (const attention of ['eager', 'flash'] as const) {
    const kept = (window: number | null) => pytorchAccount(gemma2(window), run(attention, 512), 1)!.layersBytes;
    assert.deepEqual(kept(128), kept(null));
  }
});

test('a window no wider than the sequence gives its layers a mask under sdpa, and rules FlashAttention out', () => {
  const kept = (window: number, sequence: number) =>
    pytorchAccount(gemma2(window), run('sdpa', sequence), 1)!.layersBytes;
  const [, full = 0, windowed = 0] = kept(512, 512);
  assert.deepEqual(kept(513, 512), kept(4096, 512));
  assert.equal(kept(4096, 512)[2], full);
  // Keys and values for all 8 query heads and not for 4, a number for each pair of positions, other side outputs.
  const repeatedHeads = 2 * 2 * 2 * 512 * 4 * 256;
  assert.equal(windowed - full, repeatedHeads + 2 * 2 * 512 * 512 + (16 - 24));
  // Rows of the mask start at multiples of 8.
  const odd = kept(500, 511);
  assert.equal(odd[2]! - odd[1]!, 2 * 2 * 2 * 511 * 4 * 256 + 2 * 2 * 511 * 512 + 4 * 2 * 8 + (16 - 24));
});

test('dropout that a configuration has off stays off where others are on', () => {
  const opt = (attention: number) => readHfConfig({ model_type: 'opt', dropout: 0.1, attention_dropout: attention });
  const kept = (attention: number): number =>
    pytorchAccount(opt(attention).shape!, { ...run('eager', 128), dropout: 0.1 }, 1)!.layerBytes;
  assert.deepEqual(opt(0).problems, []);
  // A byte for each score.
  assert.equal(kept(0.1) - kept(0), 2 * 12 * 128 * 128);
  const off = pytorchAccount(opt(0).shape!, run('eager', 128), 1)!.layerBytes;
  assert.equal(kept(0) - off, 2 * 2 * 128 * 768);
});

test('fused kernels keep what their backward passes read, and no more', () => {
  const llama = readHfConfig({ model_type: 'llama', num_hidden_layers: 3, hidden_size: 512, intermediate_size: 1024 });
  const plain = run('flash', 256);
  const account = (fused: NonNullable<RunShape['fused']>) => pytorchAccount(llama.shape!, { ...plain, fused }, 1)!;
  const tokens = 2 * 256;
  // SiLU's result.
  assert.equal(account({}).layerBytes - account({ mlp: true }).layerBytes, 2 * tokens * 1024);
  // Of each norm the fp32 and the bf16 copy of its input, which is kept in their place.
  assert.equal(
    account({}).layerBytes - account({ norm: true }).layerBytes,
    2 * tokens * (4 + 2) * 512 - 2 * 2 * tokens * 512,
  );
  const vocabulary = 32000;
  const logits = 4 * tokens * vocabulary;
  const hidden = 2 * tokens * 512;
  const lost = account({}).outsideBytes - logits;
  assert.ok(account({ loss: 'fused' }).outsideBytes < lost + 64 * tokens);
  // Liger keeps the gradients of the last hidden states and of the head's weight.
  assert.ok(account({ loss: 'chunked' }).outsideBytes - lost - 2 * 512 * vocabulary <= hidden);
  assert.equal(account({ loss: 'chunked' }).parameters, account({}).parameters);
});

test('an attention that the library does not have for a model is said to be another', () => {
  const bloom = readHfConfig({ model_type: 'bloom' }).shape!;
  const asked = estimateBudget(bloom, run('sdpa', 64), 1);
  const eager = estimateBudget(bloom, run('eager', 64), 1);
  assert.equal(asked.notes[0], 'BLOOM has no sdpa attention; eager is what runs');
  assert.deepEqual(asked.pytorch, eager.pytorch);
  assert.deepEqual(asked.notes.slice(1), eager.notes);
});
