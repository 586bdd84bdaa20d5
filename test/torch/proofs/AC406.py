"""AC406: a region that is checkpointed selectively allows one backward."""

import functools
import json
import sys

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(0)
block = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))
start = torch.randn(2, 4)
contexts = functools.partial(create_selective_checkpoint_contexts, [torch.ops.aten.addmm.default])


def losses(**options):
    block.zero_grad(set_to_none=True)
    y = checkpoint(block, start.clone().requires_grad_(), use_reentrant=False, **options)
    return y.sum(), y.square().sum()


first, second = losses(context_fn=contexts)
first.backward(retain_graph=True)
try:
    second.backward()
    error = "no error"
except RuntimeError as raised:
    error = f"RuntimeError: {raised}"
first, second = losses(context_fn=contexts)
(first + second).backward()
together = block[0].weight.grad
first, second = losses()
first.backward(retain_graph=True)
second.backward()
right = torch.allclose(together, block[0].weight.grad, atol=1e-6)
print(
    json.dumps(
        {
            "code": "AC406",
            "flagged": error,
            "fixed": "ok: gradient equals plain checkpointing" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if "Trying to backward an extra time" in error and right else 1)
