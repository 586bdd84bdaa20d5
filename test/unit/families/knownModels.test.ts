import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
import { weightCounts } from '../../../server/core/budget/weightCounts.ts';
import rows from '../../../server/core/families/knownModels.json';
import { knownModel, knownModels } from '../../../server/core/families/knownModels.ts';

test('every row of the registry is reachable by its own id', () => {
  const ids = Object.keys(rows);
  assert.equal(ids.length, 152);
  assert.equal(knownModels().length, 152);
  for (const id of ids) assert.equal(knownModel(id)?.id, id);
});

test('an id is found in any case, as a tuned model, under its old organisation and without one', () => {
  assert.equal(knownModel('openai-community/GPT2')?.shape?.hidden, 768);
  assert.equal(knownModel('gpt2-xl')?.shape?.layers, 48);
  assert.equal(knownModel('meta-llama/Llama-3.1-8B-Instruct')?.id, 'meta-llama/Meta-Llama-3.1-8B');
  assert.equal(knownModel('Qwen/Qwen2.5-7B-Instruct')?.family, 'llama');
  assert.equal(knownModel('mistralai/Mistral-7B-Instruct-v0.3')?.shape?.vocabulary, 32768);
  assert.equal(knownModel('someone/gpt2'), undefined);
  assert.equal(knownModel(''), undefined);
});

test('a model without an account says so and still has its sizes', () => {
  const model = knownModel('meta-llama/Llama-4-Scout-17B-16E');
  assert.equal(model?.family, undefined);
  assert.equal(model?.withoutAccount, 'no PyTorch account for llama4_text models yet');
  assert.equal(model?.sizes.layers, 48);
});

const run: RunShape = {
  batch: 1,
  sequence: 16,
  dataType: 'bf16',
  autocast: false,
  attention: 'sdpa',
  dropout: 0,
};

test('parameters of all models with an account are the published number', () => {
  const withAccount = knownModels().filter((model) => model.shape !== undefined);
  assert.ok(withAccount.length >= 48);
  for (const model of withAccount.filter(({ parameters }) => parameters !== undefined)) {
    // Published numbers of encoders are those of the bare model, without a head.
    const bare = { ...model.shape!, settings: { ...model.shape!.settings, head: 'none' } };
    assert.equal(weightCounts(trainingStep(bare, run)!).total, model.parameters, model.id);
  }
});
