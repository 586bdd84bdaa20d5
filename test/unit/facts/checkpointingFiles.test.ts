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
    checkpointing: 'full 1 non-reentrant checkpoint = checkpoint on line 10, if self.cheap @10:21 in model.py',
    notes: [/depends on self.cheap/],
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
