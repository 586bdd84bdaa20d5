"""AC309: a router that picks otherwise in the recomputation changes shapes behind it."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
expert = torch.nn.Linear(4, 4)
tokens = torch.randn(6, 4)
# Stands for a tie that is decided the other way: the second time, one token goes elsewhere.
scores = torch.tensor([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def routed(x, noise):
    picked = torch.stack([scores + noise.pop(), torch.zeros(6)], -1).argmax(-1)
    return expert(x[torch.nonzero(picked == 0)[:, 0]]).tanh()


def given(x, index):
    return expert(x[index]).tanh()


flip = torch.tensor([0.0, 0.0, -2.0, 0.0, 0.0, 0.0])
try:
    checkpoint(routed, tokens.clone().requires_grad_(), [flip, torch.zeros(6)], use_reentrant=False).sum().backward()
    error = "no error"
except Exception as raised:
    error = f"{type(raised).__name__}: {str(raised).splitlines()[0]}"

index = torch.nonzero(scores > 0)[:, 0]
expert.zero_grad(set_to_none=True)
checkpoint(given, tokens.clone().requires_grad_(), index, use_reentrant=False).sum().backward()
gradient = expert.weight.grad
expert.zero_grad(set_to_none=True)
given(tokens.clone().requires_grad_(), index).sum().backward()
right = torch.equal(gradient, expert.weight.grad)
print(
    json.dumps(
        {
            "code": "AC309",
            "flagged": error,
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if error.startswith("CheckpointError") and right else 1)
