"""AC114: determinism_check is one of two names; everything else raises in the non-reentrant variant."""

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


for value in (False, None, "strict"):
    message = error(lambda: checkpoint(layer, x, use_reentrant=False, determinism_check=value))
    assert message == f"ValueError: determinism_check should be one of ['default', 'none'], but got {value}", message
fixed = gradient(lambda: checkpoint(layer, x, use_reentrant=False, determinism_check="none"))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC114", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
