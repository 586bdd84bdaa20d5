"""AC115: debug=True brings a context_fn of its own."""

import contextlib
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


def contexts():
    return contextlib.nullcontext(), contextlib.nullcontext()


message = error(lambda: checkpoint(layer, x, use_reentrant=False, debug=True, context_fn=contexts))
assert message == "ValueError: debug=True is incompatible with non-default context_fn", message
fixed = gradient(lambda: checkpoint(layer, x, use_reentrant=False, context_fn=contexts))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC115", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
