"""AC407: two regions cannot share one pair of selective contexts."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(0)
blocks = torch.nn.ModuleList(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh()) for _ in range(2))
start = torch.randn(2, 4)
ops = [torch.ops.aten.addmm.default]


def gradient(run):
    blocks.zero_grad(set_to_none=True)
    x = start.clone().requires_grad_()
    for block in blocks:
        x = run(block, x)
    x.sum().backward()
    return blocks[0][0].weight.grad


def selective(context_fn):
    return gradient(lambda block, x: checkpoint(block, x, use_reentrant=False, context_fn=context_fn))


contexts = create_selective_checkpoint_contexts(ops)
try:
    selective(lambda: contexts)
    error = "no error"
except RuntimeError as raised:
    error = f"RuntimeError: {raised}"
right = torch.equal(
    selective(lambda: create_selective_checkpoint_contexts(ops)), gradient(lambda block, x: block(x))
)
print(
    json.dumps(
        {
            "code": "AC407",
            "flagged": error,
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if "Trying to backward an extra time" in error and right else 1)
