import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { pytorchAccount, trainingStep } from '../../../server/core/budget/pytorch.ts';
import { weightCounts } from '../../../server/core/budget/weightCounts.ts';
import autocast from '../../goldens/autocast.json';
import rows from '../../goldens/saved-bytes.json';

for (const row of rows) {
  test(`autograd keeps, to the byte: ${row.id}`, () => {
    const model: ModelShape = {
      family: row.family as ModelShape['family'],
      layers: 3,
      hidden: row.hidden,
      heads: row.heads,
      keyValueHeads: row.keyValueHeads,
      headDimension: row.headDimension,
      feedForward: row.feedForward,
      vocabulary: row.vocabulary,
      maximumSequence: 2048,
      activation: row.activation as ModelShape['activation'],
      tiedEmbeddings: false,
      bias: true,
    };
    const run: RunShape = {
      batch: row.batch,
      sequence: row.sequence,
      dataType: row.dataType as RunShape['dataType'],
      autocast: false,
      attention: row.attention as RunShape['attention'],
      dropout: row.dropout,
    };
    const account = pytorchAccount(model, run, 1)!;
    assert.equal(account.layerBytes, row.layerBytes);
    assert.equal(
      account.layerParts.reduce((sum, part) => sum + part.bytes, 0),
      row.layerBytes,
    );
    if (row.layersBytes) assert.deepEqual(account.layersBytes, row.layersBytes);
    if (row.outsideBytes !== null) assert.equal(account.outsideBytes, row.outsideBytes);
    if (row.totalBytes !== null) assert.equal(account.savedBytes, row.totalBytes);
    // `sdpa` takes flash for 16-bit tensors and the memory-efficient kernel for fp32, unless heads are grouped.
    const isEfficient = row.attention === 'efficient' && row.dataType === 'fp32' && row.heads === row.keyValueHeads;
    if (row.attention === 'flash' || isEfficient) {
      assert.equal(pytorchAccount(model, { ...run, attention: 'sdpa' }, 1)!.layerBytes, row.layerBytes);
    }
  });
}

const gpt2Small: ModelShape = {
  family: 'gpt2',
  layers: 3,
  hidden: 768,
  heads: 12,
  keyValueHeads: 12,
  headDimension: 64,
  feedForward: 3072,
  vocabulary: 50257,
  maximumSequence: 1024,
  activation: 'gelu_new',
  tiedEmbeddings: true,
  bias: true,
};
const llama3: ModelShape = {
  family: 'llama',
  layers: 3,
  hidden: 4096,
  heads: 32,
  keyValueHeads: 8,
  headDimension: 128,
  feedForward: 14336,
  vocabulary: 128256,
  maximumSequence: 8192,
  activation: 'silu',
  tiedEmbeddings: false,
  bias: false,
};

for (const row of autocast) {
  test(`${row.name}, ${row.autocast ? 'autocast over fp32 weights' : 'bf16 weights'}, dropout ${row.dropout}`, () => {
    const model = row.name === 'gpt2-small' ? gpt2Small : llama3;
    const run: RunShape = {
      batch: 2,
      sequence: 512,
      dataType: 'bf16',
      autocast: row.autocast,
      attention: 'eager',
      dropout: row.dropout,
    };
    const account = pytorchAccount(model, run, 1)!;
    assert.deepEqual(account.layersBytes, row.layersBytes);
    assert.equal(account.outsideBytes, row.outsideBytes);
    assert.equal(weightCounts(trainingStep(model, run)!).layers[1], row.layerParameters);
  });
}

test('one key/value head: eager repeats it without a copy for a batch of one, and with one for more', () => {
  const model = { ...llama3, keyValueHeads: 1 };
  const run = (batch: number): RunShape => ({
    batch,
    sequence: 256,
    dataType: 'bf16',
    autocast: false,
    attention: 'eager',
    dropout: 0,
  });
  const heads = (batch: number) => pytorchAccount(model, run(batch), 1)!.layerBytes / (batch * 256);
  assert.equal(heads(2) - heads(1), 2 * 2 * 128 * 31);
});
