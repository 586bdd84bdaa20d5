"""AC104: a misspelt option raises, in either variant."""

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


reentrant = error(lambda: checkpoint(layer, x, use_rentrant=False))
assert reentrant == "ValueError: Unexpected keyword arguments: use_rentrant", reentrant
other = error(lambda: checkpoint(layer, x, use_reentrant=False, preserve_rng_stat=False))
assert other == "TypeError: Linear.forward() got an unexpected keyword argument 'preserve_rng_stat'", other
fixed = gradient(lambda: checkpoint(layer, x, use_reentrant=False, preserve_rng_state=False))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC104", "flagged": f"{reentrant}; {other}", "fixed": "ok: gradient equals plain autograd"}))
