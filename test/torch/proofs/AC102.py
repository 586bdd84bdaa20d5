"""AC102: the reentrant variant raises for keyword arguments of the function; the non-reentrant one passes them on."""
import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def region(t, scale=1.0):
    return layer(t) * scale


def error(**options):
    try:
        checkpoint(region, x, scale=3.0, **options)
    except ValueError as raised:
        return str(raised)


messages = {error(), error(use_reentrant=True)}
assert messages == {"Unexpected keyword arguments: scale"}, messages
region(x, scale=3.0).sum().backward()
expected = layer.weight.grad.clone()
layer.zero_grad()
checkpoint(region, x, scale=3.0, use_reentrant=False).sum().backward()
assert torch.equal(layer.weight.grad, expected)
print(json.dumps({"code": "AC102", "flagged": "ValueError: " + messages.pop(), "fixed": "ok: gradient equals plain autograd"}))
