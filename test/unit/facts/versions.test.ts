import type { Versions } from '../../../server/core/torch/version.ts';
import { readsAmong } from './checkFiles.ts';

const transformers = (major: number, minor: number): Versions => ({ transformers: { major, minor } });

// The variant of a switch of transformers that is told nothing, by version

const trainer = `
from transformers import TrainingArguments
args = TrainingArguments("out", gradient_checkpointing=True)
`;

readsAmong(
  'transformers 4 checkpoints reentrant',
  { 'train.py': trainer },
  {
    checkpointing: 'full 1 reentrant gradient_checkpointing @2:56',
    notes: [/transformers 4\.57 takes the reentrant one/],
  },
  transformers(4, 57),
);
readsAmong(
  'transformers 5 does not',
  { 'train.py': trainer },
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing @2:56' },
  transformers(5, 0),
);
readsAmong(
  'an unknown version leaves it open',
  { 'train.py': trainer },
  {
    checkpointing: 'full 1 gradient_checkpointing @2:56',
  },
);
readsAmong(
  'what is asked for counts before the version',
  {
    'train.py': `
from transformers import TrainingArguments
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False})
`,
  },
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing @2:56' },
  transformers(4, 57),
);
readsAmong(
  'a model that is switched on itself',
  {
    'train.py': `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable()
`,
  },
  { checkpointing: 'full 1 reentrant gradient_checkpointing_enable @3:1' },
  transformers(4, 46),
);
readsAmong(
  'every second layer in the variant of transformers 5',
  {
    'train.py': `
from transformers import TrainingArguments
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs={"every_n_layers": 2})
`,
  },
  { checkpointing: 'full 1 non-reentrant 2 gradient_checkpointing @2:56' },
  transformers(5, 18),
);
readsAmong(
  'trl sets the variant itself, which its version does not tell',
  { 'train.py': '\nfrom trl import SFTConfig\nargs = SFTConfig("out", gradient_checkpointing=True)\n' },
  { checkpointing: 'full 1 gradient_checkpointing @2:48' },
  transformers(4, 57),
);
readsAmong(
  'under transformers 5 both say the same',
  { 'train.py': '\nfrom trl import SFTConfig\nargs = SFTConfig("out", gradient_checkpointing=True)\n' },
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing @2:48' },
  transformers(5, 1),
);

readsAmong(
  'trl asks for the other variant since 0.27',
  { 'train.py': '\nfrom trl import SFTConfig\nargs = SFTConfig("out", gradient_checkpointing=True)\n' },
  {
    checkpointing: 'full 1 non-reentrant gradient_checkpointing @2:48',
    notes: [/trl 0\.29 takes the non-reentrant one/],
  },
  { transformers: { major: 4, minor: 57 }, trl: { major: 0, minor: 29 } },
);
readsAmong(
  'trl before 0.27 under transformers 4',
  { 'train.py': '\nfrom trl import SFTConfig\nargs = SFTConfig("out", gradient_checkpointing=True)\n' },
  { checkpointing: 'full 1 reentrant gradient_checkpointing @2:48' },
  { transformers: { major: 4, minor: 57 }, trl: { major: 0, minor: 24 } },
);

// How AdamW steps, by version

readsAmong(
  'a trainer of today takes the fused AdamW',
  { 'train.py': trainer },
  {
    optimizer: undefined,
    optimizerImplementation: 'fused default transformers TrainingArguments.optim (since 4.54 with torch 2.8)',
  },
  { transformers: { major: 4, minor: 57 }, torch: { major: 2, minor: 9 } },
);
readsAmong(
  'an older torch leaves it to torch',
  { 'train.py': trainer },
  { optimizerImplementation: undefined },
  { transformers: { major: 4, minor: 57 }, torch: { major: 2, minor: 7 } },
);
readsAmong(
  'so does an older transformers',
  { 'train.py': trainer },
  { optimizerImplementation: undefined },
  transformers(4, 53),
);
