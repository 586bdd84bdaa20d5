import type { Reports } from './report.ts';

/** A recomputation that differs from the forward pass. */
export const recomputation: Reports = {
  R26: {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from transformers import AutoModelForCausalLM
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.2-1B")
apply_activation_checkpointing(model, check_fn=lambda one: isinstance(one, LlamaDecoderLayer))
`,
    codes: ['AC306'],
  },
  R27: {
    outOfReach:
      'which casts autocast keeps between passes is decided as it runs; with torch 2.13 neither form raises or changes a gradient',
  },
  R28: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Experts(nn.Module):
    def forward(self, tokens):
        chosen = self.gate(tokens).topk(2, dim=-1).indices
        for number, expert in enumerate(self.experts):
            rows = (chosen == number).any(-1).nonzero().flatten()
            tokens = tokens.index_add(0, rows, expert(tokens[rows]))
        return tokens

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = Experts()

    def forward(self, hidden):
        return checkpoint(self.experts, hidden, use_reentrant=False)
`,
    codes: ['AC309'],
  },
  R29: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(0.1))

    def forward(self, x):
        return x + checkpoint(self.inner, x, use_reentrant=False, preserve_rng_state=False)
`,
    codes: ['AC302'],
  },
  R30: {
    shape: `
import random
import numpy as np
from torch import nn
from torch.utils.checkpoint import checkpoint

class LayerDrop(nn.Module):
    def layer(self, x):
        if random.random() < self.rate:
            return x
        return x + self.mlp(x) * np.random.uniform(0.9, 1.1)

    def forward(self, x):
        return checkpoint(self.layer, x, use_reentrant=False)
`,
    codes: ['AC303', 'AC303'],
  },
  R31: {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint

class Scan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, state, gate):
        ctx.save_for_backward(state, gate)
        return state * gate

    @staticmethod
    def backward(ctx, grad):
        if len(ctx.saved_tensors) == 0:
            return None, None
        state, gate = ctx.saved_tensors
        return grad * gate, grad * state
`,
    codes: ['AC307'],
  },
  R32: { outOfReach: 'what a fused kernel saves is a fact about the build of its library, repaired since' },
  R33: {
    shape: `
from functools import partial
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl, apply_activation_checkpointing, checkpoint_wrapper,
)
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from transformers import LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

model = FSDP(LlamaForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf"))
wrap = partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.NO_REENTRANT)
apply_activation_checkpointing(model, wrap, lambda one: isinstance(one, LlamaDecoderLayer))
`,
    codes: ['AC306'],
  },
  R34: {
    shape: `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2-7B")
model = get_peft_model(model, LoraConfig(r=16))
args = TrainingArguments(
    "out",
    gradient_checkpointing=True,
    gradient_checkpointing_kwargs={"use_reentrant": False},
    deepspeed={"zero_optimization": {"stage": 3}, "bf16": {"enabled": "auto"}},
)
Trainer(model=model, args=args, train_dataset=data).train()
`,
    codes: ['AC209'],
    versions: { deepspeed: '0.16.4', transformers: '4.49.0' },
  },
  R35: { outOfReach: 'whether a compiled function recomputes with other shapes is decided by the compiler as it runs' },
  R36: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.balance_losses = []
        self.calls = 0

    def forward(self, tokens):
        logits = self.gate(tokens)
        self.balance_losses.append(logits.float().var())
        self.calls += 1
        return self.mix(tokens, logits)

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = Router()

    def forward(self, hidden):
        return checkpoint(self.router, hidden, use_reentrant=False)
`,
    codes: ['AC304', 'AC304'],
  },
  R37: {
    shape: `
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

class Decoder(nn.Module):
    def refine(self, feature: Tensor, skip: Tensor) -> Tensor:
        feature += self.lateral(skip)
        return self.smooth(feature)

    def forward(self, feature, skip):
        return checkpoint(self.refine, feature, skip, use_reentrant=False)
`,
    codes: ['AC308'],
  },
  R38: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Stage(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(width, width, 3), nn.BatchNorm2d(width), nn.ReLU())

    def forward(self, image):
        return checkpoint(self.body, image, use_reentrant=False)
`,
    codes: ['AC305'],
  },
};
