"""AC306: a key-value cache is filled again by the recomputation."""

import json
import sys

import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
project = torch.nn.Linear(8, 24)
start = torch.randn(1, 5, 8)


class Cache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        self.keys.append(key)
        self.values.append(value)
        return torch.cat(self.keys, 1), torch.cat(self.values, 1)


def attention(x, cache):
    query, key, value = project(x).chunk(3, -1)
    if cache is not None:
        key, value = cache.update(key, value)
    return scaled_dot_product_attention(query, key, value)


def gradient(run, cache):
    project.zero_grad(set_to_none=True)
    run(start.clone().requires_grad_(), cache).sum().backward()
    return project.weight.grad


def checkpointed(x, cache):
    return checkpoint(attention, x, cache, use_reentrant=False)


try:
    gradient(checkpointed, Cache())
    error = "no error"
except Exception as raised:
    error = f"{type(raised).__name__}: {str(raised).splitlines()[0]}"
right = torch.equal(gradient(checkpointed, None), gradient(attention, None))
print(
    json.dumps(
        {
            "code": "AC306",
            "flagged": error,
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if error.startswith("CheckpointError") and right else 1)
