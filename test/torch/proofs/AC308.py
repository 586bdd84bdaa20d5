"""AC308: a region that changes its input in place cannot be recomputed."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
first = torch.nn.Linear(4, 4)
second = torch.nn.Linear(4, 4)
start = torch.randn(3, 4)


def in_place(x, mask):
    x += second(x)
    return x.tanh() * mask


def with_mask(x, mask):
    mask.fill_(1.0)
    return second(x).tanh() * mask


def fixed(x, mask):
    x = x + second(x)
    return x.tanh() * mask


def gradient(run):
    first.zero_grad(set_to_none=True)
    run(first(start), torch.ones(3, 4)).sum().backward()
    return first.weight.grad


def error(function, reentrant):
    try:
        gradient(lambda x, mask: checkpoint(function, x, mask, use_reentrant=reentrant))
    except RuntimeError as raised:
        return f"RuntimeError: {str(raised).split(': [')[0]}"
    return "no error"


errors = [error(in_place, False), error(in_place, True), error(with_mask, False)]
right = torch.equal(gradient(lambda x, m: checkpoint(fixed, x, m, use_reentrant=False)), gradient(fixed))
shows = (
    "modified by an inplace operation" in errors[0]
    and "a leaf Variable that requires grad" in errors[1]
    and "modified by an inplace operation" in errors[2]
)
print(
    json.dumps(
        {
            "code": "AC308",
            "flagged": f"{errors[0]}; reentrant: {errors[1]}",
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if shows and right else 1)
