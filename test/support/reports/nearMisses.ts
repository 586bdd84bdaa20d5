import type { Told } from './report.ts';

type NearMiss = Omit<Told, 'codes'>;

/** Code that looks like a report's and is right; nothing may be said about it. */
export const nearMisses: Readonly<Record<string, NearMiss>> = {
  'R01 with the variant set by partial': {
    shape: `
from functools import partial
from torch.utils.checkpoint import checkpoint

remember_less = partial(checkpoint, use_reentrant=False)

def run(block, x, mask):
    return remember_less(block, x, mask=mask)
`,
  },
  "R01 with another library's function of the name": {
    shape: `
from megatron.core.tensor_parallel import checkpoint
from timm.models._manipulate import checkpoint_seq

def run(block, blocks, x):
    return checkpoint_seq(blocks, checkpoint(block, False, x))
`,
  },
  'R01 and R02 with options from elsewhere': {
    shape: `
from torch.utils.checkpoint import checkpoint

def run(block, x, mask, **options):
    return checkpoint(block, x, mask=mask, **options)
`,
  },
  'R02 over a wrapper that packs keywords itself': {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper

def run(layer, x, mask):
    layer = checkpoint_wrapper(layer, checkpoint_impl=CheckpointImpl.REENTRANT)
    return layer(x, mask=mask)
`,
  },
  'R04 with a factory': {
    shape: `
from torch.utils.checkpoint import checkpoint

def forward_of(module):
    def run(*inputs):
        return module(*inputs)

    return run

def run(layers, x):
    for layer in layers:
        x = checkpoint(forward_of(layer), x, use_reentrant=False)
    return x
`,
  },
  'R07 with the layer bound at once': {
    shape: `
from functools import partial
from torch.utils.checkpoint import checkpoint

def run(layers, x, mask):
    for layer in layers:
        x = checkpoint(lambda t, layer=layer: layer(t, mask), x, use_reentrant=False)
        x = checkpoint(partial(layer, mask=mask), x, use_reentrant=False)
    return x
`,
  },
  'R08 on a class of its own': {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Net(nn.Module):
    def gradient_checkpointing_enable(self, use_reentrant=False):
        self.reentrant = use_reentrant

    def forward(self, x):
        return checkpoint(self.body, x, use_reentrant=self.reentrant)

net = Net()
net.gradient_checkpointing_enable(use_reentrant=True)
`,
  },
  'R09 with the wrapper that takes it': {
    shape: `
from fairscale.nn.checkpoint import checkpoint_wrapper

def build(layers):
    return [checkpoint_wrapper(layer, offload_to_cpu=True) for layer in layers]
`,
  },
  'R11 on a torch that knows the form': {
    shape: `
from torch.utils.checkpoint import checkpoint

@checkpoint(use_reentrant=False)
def transition(pair, weights):
    return pair + (pair @ weights).relu()
`,
    versions: { torch: '2.14' },
  },
  'R12 with inputs made to require grad': {
    shape: `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("facebook/opt-350m")
model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=8))
model.gradient_checkpointing_enable()
`,
    versions: { transformers: '4.46.3' },
  },
  'R13 behind an embedding that trains': {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(1000, 64)
        self.mixer = nn.Linear(64, 64)

    def forward(self, ids):
        return checkpoint(self.mixer, self.embedding(ids), use_reentrant=True)
`,
  },
  'R17 without a checkpoint on the way': {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint

def penalty(generator, critic, noise, real):
    fake = checkpoint(generator, noise, use_reentrant=True)
    real.requires_grad_(True)
    (slope,) = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return critic(fake).mean() + slope.norm()
`,
  },
  'R18 with the options where the Trainer looks': {
    shape: `
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("google/gemma-2b")
options = {"use_reentrant": False}
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs=options)
Trainer(model=model, args=args, train_dataset=data).train()
`,
    versions: { transformers: '4.46.3' },
  },
  'R22 without the reentrant variant': {
    shape: `
from transformers import TrainingArguments

args = TrainingArguments(
    "out",
    gradient_checkpointing=True,
    gradient_checkpointing_kwargs={"use_reentrant": False},
    ddp_find_unused_parameters=True,
)
`,
  },
  'R25 through the wrapper': {
    shape: `
from accelerate import Accelerator
from diffusers import UNet2DConditionModel

accelerator = Accelerator()
unet = UNet2DConditionModel.from_pretrained("some/model", subfolder="unet")
unet = accelerator.prepare(unet)
accelerator.unwrap_model(unet).enable_gradient_checkpointing()
`,
  },
  'R29 and R30 with torch’s own randomness, which is put back': {
    shape: `
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.plain = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.0))

    def add_noise(self, x):
        return self.drop(x) + torch.randn_like(x)

    def forward(self, x):
        x = checkpoint(self.add_noise, x, use_reentrant=False)
        return checkpoint(self.plain, x, use_reentrant=False, preserve_rng_state=False)
`,
  },
  'R31 with one read on each way': {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint

class Product(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad):
        if ctx.needs_input_grad[0]:
            a, b = ctx.saved_tensors
            return grad * b, grad * a
        else:
            (b,) = ctx.saved_tensors
            return None, grad * b
`,
  },
  'R36 and R38 with state that is left alone': {
    shape: `
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Stage(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.norm = nn.BatchNorm2d(8, track_running_stats=False)

    def run(self, x):
        x = self.norm(x)
        if torch.is_grad_enabled():
            self.seen.append(x.mean())
        parts = []
        parts.append(x)
        return torch.cat(parts)

    def forward(self, x):
        return checkpoint(self.run, x, use_reentrant=True)
`,
  },
  'R39, R40, R43 as they should be': {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

costly = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default}

def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in costly else CheckpointPolicy.PREFER_RECOMPUTE

def run(block, x):
    contexts = partial(create_selective_checkpoint_contexts, policy)
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
  },
  'R50 with a policy': {
    as: 'yaml',
    shape: `
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_activation_checkpointing: true
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: LlamaDecoderLayer
`,
  },
  'R53 with everything in its place': {
    as: 'json',
    shape: `
{
  "zero_optimization": { "stage": 2 },
  "activation_checkpointing": {
    "partition_activations": true,
    "contiguous_memory_optimization": true,
    "number_checkpoints": 24
  }
}
`,
  },
  'R57 with a flag that is read': {
    shape: `
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--gradient_checkpointing", action="store_true")
args = parser.parse_args()
if args.gradient_checkpointing:
    unet.enable_gradient_checkpointing()
`,
  },
  'R60 with all three flags': {
    as: 'shell',
    shape: `
torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 \\
    --recompute-granularity full --recompute-method uniform --recompute-num-layers 1
`,
  },
  'R63 with a region for each layer': {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Model(nn.Module):
    def __init__(self, words, width, depth):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(width, 8) for _ in range(depth)])

    def forward(self, ids):
        hidden = self.embedding(ids)
        for layer in self.layers:
            hidden = checkpoint(layer, hidden, use_reentrant=False)
        return hidden
`,
  },
  'R73 with a policy': {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from nets import Block, Transformer

apply_activation_checkpointing(Transformer(layers=24), auto_wrap_policy=ModuleWrapPolicy({Block}))
`,
  },
  'R07 with a factory for each replaced forward': {
    shape: `
from functools import partial, wraps
from torch.utils.checkpoint import checkpoint

def checkpointed(forward):
    @wraps(forward)
    def inner(*args, **kwargs):
        return checkpoint(forward, *args, use_reentrant=False, **kwargs)
    return inner

def patch(model):
    for block in model.encoder:
        block.forward = checkpointed(block.forward)
    for block in model.decoder:
        block.forward = partial(checkpoint, block.forward, use_reentrant=False)
`,
  },
  'R29 where the blocks do not draw': {
    shape: `
import torch
from torch.distributed._composable.fsdp import fully_shard
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

def parallelize(model):
    for name, block in model.layers.named_children():
        block = checkpoint_wrapper(block, preserve_rng_state=False)
        model.layers.register_module(name, torch.compile(block, fullgraph=True))
    for block in model.layers.values():
        fully_shard(block)
`,
  },
  'R30 with the draw outside the region': {
    shape: `
import time
import numpy as np
from torch.utils.checkpoint import checkpoint

rng = np.random.default_rng(0)

def train(model, loader):
    for images in loader:
        started = time.time()
        images = images * rng.uniform(0.9, 1.1)
        checkpoint(model, images, use_reentrant=False).sum().backward()
        print(time.time() - started)
`,
  },
  'R34 on the first DeepSpeed that can': {
    shape: `
import deepspeed
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

settings = {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}}
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), LoraConfig(r=8))
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
engine, *_ = deepspeed.initialize(model=model, config=settings)
`,
    versions: { deepspeed: '0.19.3' },
  },
  'R57 with train mode behind a first evaluation': {
    shape: `
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.eval()
baseline = score(model)
model.train()
for batch in loader:
    model(**batch).loss.backward()
`,
  },
  'R72 with eval mode around it': {
    shape: `
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.train()
for batch in loader:
    model(**batch).loss.backward()
    model.eval()
    with torch.no_grad():
        print(model.generate(prompt))
    model.train()
`,
  },
};
