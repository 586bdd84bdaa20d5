import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withChosen } from '../../../server/core/facts/withChosen.ts';
import { factsOf, told } from './check.ts';

const facts = factsOf('from transformers import GPT2Config\nconfig = GPT2Config(n_layer=24)\n')!;

test('flags beat the file, and the rest stays', () => {
  const { model, run } = withChosen(
    facts,
    { layers: 6, batch: 4, dataType: 'bf16', segment: 3 },
    (field) => `--${field}`,
  );
  assert.equal(told(model!.layers), '6 chosen --layers');
  assert.equal(told(run.batch), '4 chosen --batch');
  assert.equal(told(run.dataType), 'bf16 chosen --dataType');
  assert.equal(told(run.checkpointing), 'full 3 chosen --segment');
  assert.deepEqual(run.sequence, facts.run.sequence);
  assert.deepEqual(model!.heads, facts.model!.heads);
});

test('choosing nothing changes nothing', () => {
  assert.deepEqual(withChosen(facts, {}, 'nobody'), facts);
});
