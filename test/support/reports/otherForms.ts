import type { Told } from './report.ts';

/** The same mistakes as in the reports, written in another way. */
export const otherForms: Readonly<Record<string, Told>> = {
  'R01 through an alias of the module': {
    shape: `
from torch.utils import checkpoint as ckpt

def run(layers, hidden):
    for layer in layers:
        hidden = ckpt.checkpoint(layer, hidden)
    return hidden
`,
    codes: ['AC101'],
  },
  'R01 imported where it is used, bound to a name': {
    shape: `
class Trunk:
    def forward(self, hidden):
        from torch.utils.checkpoint import checkpoint_sequential
        run = checkpoint_sequential
        return run(self.layers, 4, hidden)
`,
    codes: ['AC101'],
  },
  'R02 where the variant is left out': {
    shape: `
import torch.utils.checkpoint as cp

def run(attention, tokens, mask):
    return cp.checkpoint(attention, tokens, mask=mask)
`,
    codes: ['AC101', 'AC102'],
  },
  'R04 as a step of an encoder, with the module from torch': {
    shape: `
from torch import nn
from torch.utils import checkpoint

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)

    def forward(self, x):
        return checkpoint.checkpoint(self.first(x), use_reentrant=False)
`,
    codes: ['AC105'],
  },
  'R07 as a local function that reads a number': {
    shape: `
from torch.utils.checkpoint import checkpoint

def run(layers, hidden):
    for index, layer in enumerate(layers):
        def scaled(given):
            return layer(given) / (index + 1)

        hidden = checkpoint(scaled, hidden, use_reentrant=True)
    return hidden
`,
    codes: ['AC301'],
  },
  'R10 with the layers written out': {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential

trunk = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU())

def run(x):
    return checkpoint_sequential(trunk, segments=6, input=x, use_reentrant=False)
`,
    codes: ['AC108'],
  },
  'R17 as a backward to some inputs': {
    shape: `
from torch.utils.checkpoint import checkpoint

def step(field, points):
    loss = checkpoint(field, points, use_reentrant=True).square().mean()
    loss.backward(inputs=[points])
`,
    codes: ['AC202'],
  },
  'R22 with torch alone': {
    shape: `
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint

class Net(nn.Module):
    def forward(self, x):
        return self.head(checkpoint(self.body, self.stem(x), use_reentrant=True))

def wrap(rank):
    net = Net().to(rank)
    return DDP(net, device_ids=[rank], find_unused_parameters=True)
`,
    codes: ['AC206'],
  },
  'R25 with torch alone': {
    shape: `
from torch.nn.parallel import DistributedDataParallel
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model = DistributedDataParallel(model)
model.gradient_checkpointing_enable()
`,
    codes: ['AC606'],
  },
  'R30 with names imported from NumPy': {
    shape: `
from numpy.random import uniform
from torch.utils.checkpoint import checkpoint

def jittered(x):
    return x * uniform(0.9, 1.1)

def run(x):
    return checkpoint(jittered, x, use_reentrant=False)
`,
    codes: ['AC303'],
  },
  'R39 as a list under a short name': {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

aten = torch.ops.aten
contexts = partial(create_selective_checkpoint_contexts, [aten.mm, aten.bmm.default])

def run(block, x):
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
    codes: ['AC402'],
  },
  'R47 through an imported config': {
    shape: `
import torch
from torch._dynamo import config

config.activation_memory_budget = 0.3
step = torch.compile(train_step)
`,
    codes: ['AC408'],
  },
  'R60 as the arguments of a Python launcher': {
    shape: `
import subprocess

subprocess.run(
    ["torchrun", "pretrain_gpt.py", "--num-layers", "32", "--recompute-activations", "--recompute-method", "uniform"]
)
`,
    codes: ['AC610'],
  },
  'R61 in the older package': {
    shape: `
from pytorch_lightning.strategies import FSDPStrategy
from torch import nn

strategy = FSDPStrategy(
    activation_checkpointing=nn.TransformerEncoderLayer,
    activation_checkpointing_policy={nn.TransformerEncoderLayer, nn.TransformerDecoderLayer},
)
`,
    codes: ['AC609'],
  },
  'R73 with a check that accepts everything': {
    shape: `
import torch.distributed.algorithms._checkpoint.checkpoint_wrapper as wrappers

def shrink(model):
    wrappers.apply_activation_checkpointing(model, check_fn=lambda module: True)
`,
    codes: ['AC111'],
  },
};
