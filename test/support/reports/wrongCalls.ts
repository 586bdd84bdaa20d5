import type { Reports } from './report.ts';

/** The interface of `torch.utils.checkpoint` itself. */
export const wrongCalls: Reports = {
  R01: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Linear(3, width)
        self.mixer = nn.Linear(width, width)

    def forward(self, pixels):
        hidden = self.stem(pixels)
        return checkpoint(self.mixer, hidden)
`,
    codes: ['AC101'],
  },
  R02: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class EncoderBlock(nn.Module):
    def forward(self, tokens, mask):
        tokens = tokens + checkpoint(self.attention, self.norm(tokens), attn_mask=mask, use_reentrant=True)
        return tokens + self.mlp(tokens)
`,
    codes: ['AC102'],
  },
  R03: {
    shape: `
from torch.utils.checkpoint import checkpoint, noop_context_fn

def offloading():
    return SaveToHost(), noop_context_fn()[1]

def run(block, hidden):
    hidden = checkpoint(block, hidden, use_reentrant=True, context_fn=offloading)
    return checkpoint(block, hidden, use_reentrant=True, determinism_check="none")
`,
    codes: ['AC201', 'AC103'],
  },
  R04: {
    shape: `
import torch.utils.checkpoint
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(64, 128, 3)
        self.up = nn.Conv2d(128, 64, 3)

    def forward(self, image):
        low = torch.utils.checkpoint(self.down, image)
        return torch.utils.checkpoint.checkpoint(self.up(low), use_reentrant=False)
`,
    codes: ['AC106', 'AC105'],
  },
  R05: {
    shape: `
import torch

class Decoder(torch.nn.Module):
    def forward(self, hidden):
        for layer in self.layers:
            hidden = torch.utils.checkpoint.checkpoint(layer, hidden, use_reentrant=False)
        return hidden
`,
    codes: ['AC113'],
  },
  R06: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class DecoderLayer(nn.Module):
    def forward(self, hidden, mask=None, head_mask=None, past=None, want_weights=False):
        return self.mix(hidden, mask, head_mask, past, want_weights)

class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = DecoderLayer()

    def forward(self, hidden, mask, want_weights):
        if self.training:
            return checkpoint(self.layer, hidden, mask, want_weights, use_reentrant=False)
        else:
            return self.layer(hidden, mask=mask, want_weights=want_weights)
`,
    codes: ['AC116'],
  },
  R07: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Stack(nn.Module):
    def forward(self, tokens, mask):
        for block in self.blocks:
            tokens = checkpoint(lambda t: block(t, mask), tokens, use_reentrant=False)
        return tokens
`,
    codes: ['AC301'],
  },
  R08: {
    shape: `
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("EleutherAI/pythia-70m")
try:
    model.gradient_checkpointing_enable(use_reentrant=False)
except TypeError:
    model.gradient_checkpointing_enable()
`,
    codes: ['AC601'],
  },
  R09: {
    shape: `
from functools import partial
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl,
    apply_activation_checkpointing,
    checkpoint_wrapper,
)

def shrink(model, Layer):
    wrap = partial(checkpoint_wrapper, offload_to_cpu=False, checkpoint_impl=CheckpointImpl.NO_REENTRANT)
    apply_activation_checkpointing(model, checkpoint_wrapper_fn=wrap, check_fn=lambda one: isinstance(one, Layer))
`,
    codes: ['AC110'],
  },
  R10: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.twelve = nn.Sequential(*[nn.Linear(64, 64) for _ in range(12)])
        self.nine = nn.Sequential(*[nn.Linear(64, 64) for _ in range(9)])

    def forward(self, x):
        x = checkpoint_sequential(self.twelve, 1, x, use_reentrant=False)
        x = checkpoint_sequential(self.twelve, 16, x, use_reentrant=False)
        return checkpoint_sequential(self.nine, 5, x, use_reentrant=False)
`,
    codes: ['AC108', 'AC108', 'AC108'],
  },
  R11: {
    shape: `
from torch.utils.checkpoint import checkpoint

@checkpoint(use_reentrant=False)
def transition(pair, weights):
    return pair + (pair @ weights).relu()
`,
    codes: ['AC112'],
    versions: { torch: '2.9.1' },
  },
};
