import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChosenStrategy } from '../../../server/core/apply/chosen.ts';
import { workspaceOf } from '../../support/workspace.ts';
import { full, none, policy, put, segments } from './applied.ts';

const trainer = (given: string): string => `from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
args = TrainingArguments(${given})
trainer = Trainer(AutoModelForCausalLM.from_pretrained("openai-community/gpt2"), args)
`;
const kwargs = 'gradient_checkpointing_kwargs={"use_reentrant": False}';

test('a trainer’s arguments say it, in the layout they have', () => {
  for (const [before, after] of [
    ['"out"', `"out", gradient_checkpointing=True, ${kwargs}`],
    ['"out", gradient_checkpointing=False', `"out", gradient_checkpointing=True, ${kwargs}`],
    ['"out", gradient_checkpointing=True', `"out", gradient_checkpointing=True, ${kwargs}`],
    ['', `gradient_checkpointing=True, ${kwargs}`],
    [
      '\n    output_dir="out",  # here\n    bf16=True,  # there\n',
      `\n    output_dir="out",  # here\n    bf16=True,  # there\n    gradient_checkpointing=True,\n    ${kwargs},\n`,
    ],
    [
      '\n    output_dir="out",\n    bf16=True  # there\n',
      `\n    output_dir="out",\n    bf16=True,  # there\n    gradient_checkpointing=True,\n    ${kwargs}\n`,
    ],
  ] as const) {
    const edited = put(trainer(before), full);
    assert.equal(edited, trainer(after));
    assert.equal(put(edited, full), edited);
    // A comma behind the last argument stays where one had to be put there.
    if (!before.includes('gradient_checkpointing') && !before.endsWith('there\n'))
      assert.equal(put(edited, none), trainer(before));
  }
});

test('versions decide which options are needed', () => {
  assert.equal(
    put(trainer('"out"'), full, { versions: { transformers: '4.30' } }),
    trainer('"out", gradient_checkpointing=True'),
  );
  const on = trainer('"out", gradient_checkpointing=True');
  assert.equal(put(on, full, { versions: { transformers: '5.1' } }), on);
});

test('TRL’s classes checkpoint where nothing is said', () => {
  const config = (given: string): string =>
    `from trl import SFTConfig, SFTTrainer\nargs = SFTConfig(${given})\ntrainer = SFTTrainer("gpt2", args=args)\n`;
  assert.equal(put(config('"out"'), none), config('"out", gradient_checkpointing=False'));
  assert.equal(put(config('"out", gradient_checkpointing=True'), none), config('"out", gradient_checkpointing=False'));
  assert.equal(
    put(config(`"out", gradient_checkpointing=True, ${kwargs}`), none),
    config('"out", gradient_checkpointing=False'),
  );
  assert.equal(put(config('"out", gradient_checkpointing=False'), none), config('"out", gradient_checkpointing=False'));
  assert.equal(put(config('"out"'), full), config(`"out", ${kwargs}`));
});

test('options of transformers for every second layer and for host memory', () => {
  const second: ChosenStrategy = { name: 'every-second', segment: 1 };
  const offload: ChosenStrategy = { name: 'offload', segment: 1 };
  const on = `"out", gradient_checkpointing=True, ${kwargs}`;
  const other = on.replace('False}', 'False, "every_n_layers": 2}');
  assert.equal(put(trainer('"out"'), second), trainer(other));
  assert.equal(put(trainer(on), second), trainer(other));
  assert.equal(put(trainer(other), second), trainer(other));
  assert.equal(put(trainer(other), offload), trainer(on.replace('False}', 'False, "offload": True}')));
  assert.equal(put(trainer(other), full), trainer(on));
  assert.equal(put(trainer(other), none), trainer('"out"'));
  assert.match(
    put(trainer(on), offload, { versions: { transformers: '4.57' } }),
    /^cannot: .*option of transformers 5\.18/,
  );
});

test('what a trainer cannot say is not tried', () => {
  assert.match(put(trainer('"out"'), segments(4)), /^cannot: .*every layer by itself/);
  assert.match(put(trainer('"out"'), policy), /^cannot: .*needs a loop of your own/);
  assert.match(
    put(trainer('"out", gradient_checkpointing=flags.gc'), full),
    /^cannot: .*takes its value from flags\.gc/,
  );
  assert.match(put(trainer('"out", **settings'), full), /^cannot: .*may give gradient_checkpointing/);
});

const loop = (after: string, header = ''): string => `import torch
from transformers import AutoModelForCausalLM
${header}model = AutoModelForCausalLM.from_pretrained("openai-community/gpt2").to("cuda")
${after}model.train()
for batch in batches:
    model(**batch).loss.backward()
`;

test('a loaded model of transformers gets its method', () => {
  const edited = put(loop(''), full);
  assert.equal(edited, loop(`model.gradient_checkpointing_enable(${kwargs})\n`));
  assert.equal(put(edited, full), edited);
  assert.equal(put(edited, none), loop(''));
  const two = loop('', 'reference = AutoModelForCausalLM.from_pretrained("openai-community/gpt2")\n');
  assert.match(put(two, full), /^cannot: this file loads several models/);
});

test('a model that is trained in eval mode would not checkpoint', () => {
  assert.match(put(loop('').replace('model.train()\n', ''), full), /^cannot: it would bring AC506/);
});

test('the options of an enabling call are completed', () => {
  assert.equal(
    put(loop('model.gradient_checkpointing_enable()\n'), full),
    loop(`model.gradient_checkpointing_enable(${kwargs})\n`),
  );
  const guarded = loop('if True:\n    model.gradient_checkpointing_enable()\n');
  assert.equal(put(guarded, none), loop('if True:\n    pass\n'));
});

test('two places that switch checkpointing on are not told apart', () => {
  const both = trainer('"out", gradient_checkpointing=True').replace(
    'trainer =',
    'model = AutoModelForCausalLM.from_pretrained("openai-community/gpt2")\nmodel.gradient_checkpointing_enable()\ntrainer =',
  );
  assert.match(put(both, full), /^cannot: TrainingArguments and gradient_checkpointing_enable\(\) both/);
  assert.ok(!put(both, none).includes('gradient_checkpointing'));
});

test('a model from another file has its layers wrapped', () => {
  const workspace = workspaceOf({
    'net.py':
      'from torch import nn\nclass Block(nn.Module):\n    pass\nclass Net(nn.Module):\n    def __init__(self):\n        self.layers = nn.ModuleList([Block() for _ in range(4)])\n',
  });
  const script =
    'import torch\nfrom net import Net\n\nmodel = Net()\nfor batch in batches:\n    model(batch).sum().backward()\n';
  const edited = put(script, full, { workspace });
  assert.equal(
    edited,
    `import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing, checkpoint_wrapper
from net import Net, Block

model = Net()
apply_activation_checkpointing(
    model,
    checkpoint_wrapper_fn=checkpoint_wrapper,
    check_fn=lambda module: isinstance(module, Block),
)
for batch in batches:
    model(batch).sum().backward()
`,
  );
  assert.equal(put(edited, full, { workspace }), edited);
  assert.ok(!put(edited, none, { workspace }).includes('apply_activation_checkpointing('));
});
