import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devices } from '../../server/core/devices/devices.ts';
import { assess } from '../../server/core/total/assess.ts';
import { trainingOf } from '../../server/core/total/setupOfRun.ts';
import { type PeakAnswer, peakMethod } from '../../server/protocol.ts';
import { connect } from '../support/lspClient.ts';

const script = `from transformers import AutoModelForCausalLM
from trl import SFTConfig, SFTTrainer
model = AutoModelForCausalLM.from_pretrained('gpt2')
SFTTrainer(model=model, args=SFTConfig('out', per_device_train_batch_size=4, max_length=512, bf16=True))
`;
const t4 = devices.find(({ id }) => id === 't4')!;

test('the peak is the one the panel shows, of the text as it stands', async () => {
  const client = await connect({ facts: true });
  const file = await client.open('train.py', script);
  const seen = new Set<number>();
  for (const [from, to] of [
    ['batch_size=4', 'batch_size=2'],
    ['batch_size=2', 'batch_size=8'],
  ] as const) {
    await file.type(from, to);
    const { facts } = await file.facts();
    assert.ok(facts?.model !== undefined);
    for (const device of [undefined, t4]) {
      const answer = (await client.request(peakMethod, { uri: file.uri, device })) as PeakAnswer;
      const { assessment } = assess(trainingOf(facts.model, facts.run, device), String);
      assert.ok(answer !== null && assessment !== undefined);
      assert.equal(answer.expectedBytes, assessment.now.range.expected);
      assert.equal(answer.verdict?.outcome, assessment.verdict?.outcome);
      assert.equal(answer.verdict?.spareBytes, assessment.verdict?.spareBytes);
      seen.add(answer.expectedBytes);
    }
  }
  assert.equal(seen.size, 4);
  await client.close();
});

test('no peak where a size is assumed, where there is no model, and of a file nobody opened', async () => {
  const client = await connect({ facts: true });
  const assumed = await client.open('assumed.py', script.split('SFTTrainer(')[0]!);
  const empty = await client.open('empty.py', 'x = 1\n');
  assert.ok((await assumed.facts()).facts?.model !== undefined);
  await empty.facts();
  for (const uri of [assumed.uri, empty.uri, 'file:///nowhere.py', 5])
    assert.equal(await client.request(peakMethod, { uri }), null);
  await client.close();
});
