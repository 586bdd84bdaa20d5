"""AC202: a gradient for chosen inputs does not get through a reentrant region."""

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


def slope(reentrant):
    y = checkpoint(layer, x, use_reentrant=reentrant)
    return torch.autograd.grad(y.square().sum(), x)[0]


def chosen(reentrant):
    checkpoint(layer, x, use_reentrant=reentrant).sum().backward(inputs=[x])


message = error(lambda: slope(True))
start = "RuntimeError: When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs`"
assert message.startswith(start) and error(lambda: chosen(True)) == message, message
assert torch.equal(slope(False), torch.autograd.grad(layer(x).square().sum(), x)[0])
chosen(False)
# Inputs behind the region are reached without it.
last = torch.nn.Linear(4, 1)
torch.autograd.grad(last(checkpoint(layer, x, use_reentrant=True)).sum(), last.weight)
# torch.func.grad takes neither variant, so the rule offers no fix for it.
for variant in (True, False):
    refused = error(lambda: torch.func.grad(lambda t: checkpoint(layer, t, use_reentrant=variant).sum())(x.detach()))
    assert refused is not None and refused.startswith("RuntimeError"), refused
print(json.dumps({"code": "AC202", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
