"""AC304: what a region does to outside state happens once in forward and once in the recomputation."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
linear = torch.nn.Linear(4, 4)
stored = []


def storing(x):
    y = linear(x)
    stored.append(y.mean())
    return y.tanh().sin()


def returning(x):
    y = linear(x)
    return y.tanh().sin(), y.mean()


def count(reentrant):
    stored.clear()
    checkpoint(storing, torch.randn(2, 4, requires_grad=True), use_reentrant=reentrant).sum().backward()
    return len(stored)


counts = [count(False), count(True)]
stored.clear()
y, mean = checkpoint(returning, torch.randn(2, 4, requires_grad=True), use_reentrant=False)
stored.append(mean)
y.sum().backward()
right = len(stored) == 1
print(
    json.dumps(
        {
            "code": "AC304",
            "flagged": f"appended {counts[0]} times per step, reentrant {counts[1]} times",
            "fixed": "ok: stored once per step" if right else f"stored {len(stored)} times",
        }
    )
)
sys.exit(0 if counts == [2, 2] and right else 1)
