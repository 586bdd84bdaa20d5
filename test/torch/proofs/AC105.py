"""AC105: a module that is called in the argument leaves checkpoint a tensor to call."""

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


messages = {error(lambda: checkpoint(layer(x), use_reentrant=variant)) for variant in (True, False)}
assert messages == {"TypeError: 'Tensor' object is not callable"}, messages
fixed = gradient(lambda: checkpoint(layer, x, use_reentrant=False))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC105", "flagged": messages.pop(), "fixed": "ok: gradient equals plain autograd"}))
