"""Accelerate's FSDP 1 path hands its wrap policy to torch. Without one torch wraps every submodule, so checkpoints nest."""

import functools
import json
import sys

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl,
    CheckpointWrapper,
    apply_activation_checkpointing,
    checkpoint_wrapper,
)
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

forwards = 0


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(8, 8), Counted(), nn.Linear(8, 8))

    def forward(self, x):
        return x + self.mlp(x)


class Counted(nn.Module):
    def forward(self, x):
        global forwards
        forwards += 1
        return torch.tanh(x)


def run(policy):
    """Number of wrappers, forwards of one module per step, and whether the gradient is autograd's own."""
    global forwards
    torch.manual_seed(0)
    model = nn.Sequential(Layer(), Layer())
    x = torch.randn(4, 8)
    model(x).sum().backward()
    wanted = [parameter.grad.clone() for parameter in model.parameters()]
    model.zero_grad()
    wrap = functools.partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.NO_REENTRANT)
    apply_activation_checkpointing(model, checkpoint_wrapper_fn=wrap, auto_wrap_policy=policy)
    forwards = 0
    model(x).sum().backward()
    wrappers = sum(isinstance(module, CheckpointWrapper) for module in model.modules())
    equal = all(torch.equal(a.grad, b) for a, b in zip(model.parameters(), wanted))
    return wrappers, forwards, equal


nested, many, _ = run(None)
layers, few, equal = run(functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Layer}))
shown = nested > layers == 2 and many > few and equal
print(
    json.dumps(
        {
            "code": "AC706",
            "flagged": f"NO_WRAP: {nested} nested wrappers for 2 layers, {many} forwards of a module instead of {few}",
            "fixed": f"ok: gradient equals plain autograd, {layers} wrappers, {few} forwards" if equal else "wrong gradient",
        }
    )
)
sys.exit(0 if shown else 1)
