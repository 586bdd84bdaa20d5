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
  'R07 behind a function that checkpoints what it is given': {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint

def maybe_checkpoint(function, *inputs, enabled=True):
    if enabled and torch.is_grad_enabled():
        return checkpoint(function, *inputs, use_reentrant=False)
    return function(*inputs)

def run(blocks, hidden, pair):
    for block in blocks:
        hidden = maybe_checkpoint(lambda given: block(given, pair), hidden)
    return hidden
`,
    codes: ['AC301'],
  },
  'R07 as a replaced forward of each block': {
    shape: `
from torch.utils.checkpoint import checkpoint

def patch(model):
    for block in model.blocks:
        old_forward = block.forward

        def new_forward(*args, **kwargs):
            return checkpoint(old_forward, *args, use_reentrant=False, **kwargs)

        block.forward = new_forward
`,
    codes: ['AC301'],
  },
  'R22 under Lightning': {
    shape: `
import pytorch_lightning as pl
from torch.utils.checkpoint import checkpoint

class Net(pl.LightningModule):
    def forward(self, x):
        return checkpoint(self.body, self.stem(x), use_reentrant=True)

pl.Trainer(devices=4, strategy="ddp_find_unused_parameters_true").fit(Net(), loader)
`,
    codes: ['AC206'],
  },
  'R29 for the blocks FSDP wraps': {
    shape: `
from functools import partial
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    apply_activation_checkpointing, checkpoint_wrapper,
)

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return x + self.drop(self.linear(x))

def shrink(model):
    wrap = partial(checkpoint_wrapper, preserve_rng_state=False)
    apply_activation_checkpointing(model, checkpoint_wrapper_fn=wrap, check_fn=lambda one: isinstance(one, Block))
`,
    codes: ['AC302'],
  },
  'R30 with a generator of its own': {
    shape: `
import numpy as np
from torch import nn
from torch.utils.checkpoint import checkpoint

class Layer(nn.Module):
    def __init__(self, seed):
        super().__init__()
        self.rng = np.random.default_rng(seed)

    def forward(self, x):
        return x if self.rng.random() < 0.1 else self.mlp(x)

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(seed) for seed in range(12))

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return x
`,
    codes: ['AC303'],
  },
  'R34 on the last DeepSpeed that has it': {
    shape: `
import deepspeed
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

settings = {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}}
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), LoraConfig(r=8))
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
engine, *_ = deepspeed.initialize(model=model, config=settings)
`,
    codes: ['AC209'],
    versions: { deepspeed: '0.19.2' },
  },
  'R36 as a tracked value': {
    shape: `
import wandb
from torch import nn
from torch.utils.checkpoint import checkpoint

class Router(nn.Module):
    def forward(self, tokens):
        load = self.gate(tokens).softmax(-1).mean(0)
        wandb.log({"load": load.max().item()})
        return self.mix(tokens, load)

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = Router()

    def forward(self, hidden):
        return checkpoint(self.router, hidden, use_reentrant=False)
`,
    codes: ['AC304'],
  },
  'R57 as a frozen model in eval mode': {
    shape: `
from diffusers import UNet2DConditionModel
from peft import LoraConfig

def main(accelerator, loader):
    unet = UNet2DConditionModel.from_pretrained("some/model", subfolder="unet")
    unet.requires_grad_(False)
    unet.eval()
    unet.add_adapter(LoraConfig(r=4))
    unet.enable_gradient_checkpointing()
    for batch in loader:
        accelerator.backward(unet(**batch).sample.square().mean())
`,
    codes: ['AC506'],
    versions: { diffusers: '0.31.0' },
  },
  'R58 as an attribute of the loaded model': {
    shape: `
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model.config.gradient_checkpointing = True
model.gradient_checkpointing = True
`,
    codes: ['AC505', 'AC505'],
  },
  'R72 as samples shown while training': {
    shape: `
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2").to("cuda")
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.train()
for step, batch in enumerate(loader):
    model(**batch).loss.backward()
    if step % 50 == 0:
        print(tokenizer.decode(model.generate(prompt, max_new_tokens=64)[0]))
`,
    codes: ['AC611'],
  },
};
