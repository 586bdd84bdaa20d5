import { readsAmong } from './checkFiles.ts';

const train = `
import torch
from model import GPT
from transformers import GPT2Config
config = GPT2Config(n_layer=4)
model = GPT(config)
optimizer = torch.optim.AdamW(model.parameters())
`;

const model = (test: string): string => `
import torch
from torch.utils.checkpoint import checkpoint
class GPT(torch.nn.Module):
    def __init__(self, config, cheap=False):
        super().__init__()
        self.cheap = cheap
    def forward(self, x):
        for block in self.blocks:
            if ${test}:
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return x
`;

readsAmong(
  'a loop in the file of the model',
  { 'train.py': train, 'model.py': model('self.training') },
  { checkpointing: 'full 1 non-reentrant checkpoint @10:21 in model.py' },
);

readsAmong(
  'a loop under a flag in the file of the model',
  { 'train.py': train, 'model.py': model('self.cheap') },
  {
    checkpointing:
      'full 1 non-reentrant checkpoint = checkpoint on line 10 of model.py, if self.cheap @10:21 in model.py',
    notes: [/on line \d+ of model\.py depends on self.cheap/],
  },
);

readsAmong(
  "what the script switches on itself comes before the model's file",
  { 'train.py': `${train}model.gradient_checkpointing_enable()\n`, 'model.py': model('self.training') },
  { checkpointing: 'full 1 gradient_checkpointing_enable @7:1' },
);

readsAmong(
  'checkpoint by way of another file',
  {
    'train.py': `${train}from tools import remember
for block in model.blocks:
    x = remember(block, x, use_reentrant=True)
`,
    'model.py': 'class GPT: pass\n',
    'tools.py': 'from torch.utils.checkpoint import checkpoint as remember\n',
  },
  { checkpointing: 'full 1 reentrant checkpoint @9:9' },
);

const wrapping = {
  'settings.py': `
from dataclasses import dataclass
@dataclass
class Sharding:
    checkpointing: bool = True
`,
  'policies/__init__.py': 'from .activation import apply_checkpointing\n',
  'policies/activation.py': `
from functools import partial
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl, apply_activation_checkpointing, checkpoint_wrapper)
from transformers.models.gpt2.modeling_gpt2 import GPT2Block
wrapper = partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.NO_REENTRANT)
def apply_checkpointing(model):
    apply_activation_checkpointing(model, checkpoint_wrapper_fn=wrapper, check_fn=lambda part: isinstance(part, GPT2Block))
`,
  'model.py': 'class GPT: pass\n',
};
const switched = (test: string): string => `${train}import policies
from settings import Sharding
sharding = Sharding()
if ${test}:
    policies.apply_checkpointing(model)
`;

readsAmong(
  'a function of the workspace that wraps the layers, under a setting that is on',
  { 'train.py': switched('sharding.checkpointing'), ...wrapping },
  { checkpointing: 'full 1 non-reentrant apply_activation_checkpointing @7:5 in policies/activation.py' },
);

readsAmong(
  'the same under a setting that is off',
  { 'train.py': switched('not sharding.checkpointing'), ...wrapping },
  {
    checkpointing:
      'none 1 = apply_checkpointing() on line 11 does not run: not sharding.checkpointing with True @4:27 in settings.py',
  },
);
