"""AC208: create_graph=True is lost behind a reentrant region."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
start = torch.randn(2, 4)


def penalty(run):
    x = start.clone().requires_grad_()
    run(x).square().sum().backward(create_graph=True)
    if not x.grad.requires_grad:
        return None
    return torch.autograd.grad(x.grad.square().sum(), layer.weight)[0]


plain = penalty(layer)
assert plain is not None
assert penalty(lambda x: checkpoint(layer, x, use_reentrant=True)) is None
assert torch.allclose(penalty(lambda x: checkpoint(layer, x, use_reentrant=False)), plain)
print(json.dumps({"code": "AC208", "flagged": "wrong gradient: x.grad has requires_grad=False, so a penalty on it trains nothing", "fixed": "ok: second derivative equals plain autograd"}))
