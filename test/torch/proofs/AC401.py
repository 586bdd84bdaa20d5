"""AC401: a pair of contexts is not a function that makes one."""

import functools
import json
import sys

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(0)
block = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))
start = torch.randn(2, 4)
ops = [torch.ops.aten.addmm.default]


def gradient(run):
    block.zero_grad(set_to_none=True)
    run(start.clone().requires_grad_()).sum().backward()
    return block[0].weight.grad


def selective(context_fn):
    return gradient(lambda x: checkpoint(block, x, use_reentrant=False, context_fn=context_fn))


try:
    selective(create_selective_checkpoint_contexts(ops))
    error = "no error"
except TypeError as raised:
    error = f"TypeError: {raised}"
right = torch.equal(selective(functools.partial(create_selective_checkpoint_contexts, ops)), gradient(block))
print(
    json.dumps(
        {
            "code": "AC401",
            "flagged": error,
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if error == "TypeError: 'tuple' object is not callable" and right else 1)
