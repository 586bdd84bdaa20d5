import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckpointingNow, RunFacts } from '../../../server/core/facts/facts.ts';
import { lensTexts } from '../../../server/core/report/lensText.ts';
import { factsOf } from '../facts/check.ts';

const facts = factsOf(`import torch
from transformers import LlamaConfig, LlamaForCausalLM
model = LlamaForCausalLM(LlamaConfig(hidden_size=512, num_attention_heads=8, intermediate_size=1024, num_hidden_layers=12, vocab_size=1000))
model.gradient_checkpointing_enable()
for step in range(10):
    input_ids = torch.randint(0, 1000, (4, 512))
    model(input_ids=input_ids, labels=input_ids).loss.backward()
`)!;

function switchText(now: Partial<CheckpointingNow>, more: Partial<RunFacts['run']> = {}): string {
  const { checkpointing } = facts.run;
  const run = { ...facts.run, ...more, checkpointing: { ...checkpointing, value: { ...checkpointing.value, ...now } } };
  return lensTexts({ ...facts, run }).find(({ place }) => place.line === 4)!.text;
}

const extraOf = (text: string): number => Number(/\+([\d.]+) % work/.exec(text)![1]);

test('above the switch: which layers are checkpointed, and what that much of it costs', () => {
  const all = switchText({});
  assert.match(all, /^12 segments of 1 layer: /);
  const third = switchText({ every: 3 });
  assert.match(third, /^One layer in 3: /);
  assert.ok(Math.abs(extraOf(third) - extraOf(all) / 3) < 0.5, `${third}; ${all}`);
  const first = switchText({ layers: 6, segment: 2 });
  assert.match(first, /^3 segments of 2 layers, the first 6 of 12 layers: /);
  assert.ok(extraOf(first) < 0.6 * extraOf(all));
});

test('activations are those of the step, also where the optimizer makes the peak', () => {
  const { batch, sequence } = facts.run;
  assert.doesNotMatch(
    switchText({}, { batch: { ...batch, value: 1 }, sequence: { ...sequence, value: 8 } }),
    /: 0 bytes/,
  );
});
