"""AC112: before 2.14 checkpoint needs its function."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def error(run):
    try:
        run()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"


def gradient(run):
    layer.zero_grad()
    run().sum().backward()
    return layer.weight.grad.clone()


message = error(lambda: checkpoint(use_reentrant=False)(layer)(x))
assert message == "TypeError: checkpoint() missing 1 required positional argument: 'function'", message
fixed = gradient(lambda: checkpoint(layer, x, use_reentrant=False))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC112", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
