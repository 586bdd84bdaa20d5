import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fact, RunSettings } from '../../../server/core/facts/facts.ts';
import { setupOfRun } from '../../../server/core/total/setupOfRun.ts';
import { factsOf } from '../facts/check.ts';
import { line, llama, states, weightsOf } from '../states/examples.ts';

const fact = <T>(value: T): Fact<T> => ({ value, origin: { kind: 'assumed', why: 'a test' } });

const plain: RunSettings = {
  batch: fact(1),
  sequence: fact(1024),
  dataType: fact('bf16'),
  autocast: fact(false),
  attention: fact('sdpa'),
  dropout: fact(0),
  checkpointing: fact({ mode: 'none', segment: 1 }),
};

const layer = 218_112_000;
const root = 2 * 128256 * 4096 + 4096;

test('FSDP in bf16 over fp32 shards: 16 bytes a weight over the ranks, and bf16 copies while a layer runs', () => {
  const weights = weightsOf(llama({ layers: 4 }));
  const setup = setupOfRun({
    ...plain,
    sharding: fact('fsdp2'),
    dataParallel: fact(8),
    shardType: fact('fp32'),
    reduceType: fact('fp32'),
  });
  const share = (4 * layer + root) / 8;
  assert.equal(line(weights, setup, 'parameters-fp32'), 4 * share);
  assert.equal(line(weights, setup, 'gradients'), 4 * share);
  assert.equal(line(weights, setup, 'first-moment'), 4 * share);
  assert.equal(line(weights, setup, 'second-moment'), 4 * share);
  assert.equal(line(weights, setup, 'master-weights'), 0);
  assert.equal(line(weights, setup, 'gathered-layers'), 2 * 2 * layer);
  assert.equal(line(weights, setup, 'gathered-root'), 2 * root);
  assert.equal(line(weights, setup, 'unsharded-gradients'), 2 * root);
  assert.equal(line(weights, setup, 'reduce-scatter-input'), 4 * root);
});

test('layers that stay gathered are all counted', () => {
  const weights = weightsOf(llama({ layers: 4 }));
  const run: RunSettings = { ...plain, sharding: fact('fsdp1'), shardType: fact('fp32') };
  const kept = setupOfRun({ ...run, reshardAfterForward: fact(false) });
  assert.equal(line(weights, kept, 'gathered-layers'), 2 * 4 * layer);
});

test('bf16 weights under FSDP stay bf16, and shards mean nothing without FSDP', () => {
  const { precision } = setupOfRun({ ...plain, sharding: fact('fsdp2') });
  assert.deepEqual([precision.weights, precision.gradients, precision.masterWeights], ['bf16', 'bf16', false]);
  assert.equal(setupOfRun({ ...plain, shardType: fact('fp32') }).precision.weights, 'bf16');
});

test('only the foreach AdamW makes temporaries in its step', () => {
  const weights = weightsOf(llama({ layers: 1 }));
  const temporaries = (run: Partial<RunSettings>): number =>
    line(weights, setupOfRun({ ...plain, ...run }), 'step-temporaries');
  const all = 2 * (layer + root);
  assert.equal(temporaries({}), all);
  assert.equal(temporaries({ optimizerImplementation: fact('foreach') }), all);
  assert.equal(temporaries({ optimizerImplementation: fact('fused') }), 0);
  assert.equal(temporaries({ optimizerImplementation: fact('for-loop') }), 0);
});

test('a trainer that is told optim="adamw_torch" has them, one that is told nothing has not', () => {
  const step = (optim: string): number => {
    const facts = factsOf(`from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments("out"${optim})
`);
    assert.ok(facts !== undefined);
    return states(weightsOf(llama({ layers: 1 })), setupOfRun(facts.run)).deviceBytes.step;
  };
  assert.equal(step(', optim="adamw_torch"') - step(''), 4 * (layer + root));
  assert.equal(step(', optim="adamw_torch_fused"'), step(''));
});
