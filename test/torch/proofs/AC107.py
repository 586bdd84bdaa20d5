"""AC107: checkpoint_sequential takes no option but use_reentrant and preserve_rng_state."""

import json

import torch
from torch.utils.checkpoint import checkpoint_sequential

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
layers = torch.nn.Sequential(layer, torch.nn.Tanh(), torch.nn.Linear(4, 4))
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


messages = {
    error(lambda: checkpoint_sequential(layers, 3, x, use_reentrant=variant, early_stop=False, mask=None))
    for variant in (True, False)
}
assert messages == {"ValueError: Unexpected keyword arguments: early_stop,mask"}, messages
fixed = gradient(lambda: checkpoint_sequential(layers, 3, x, use_reentrant=False, preserve_rng_state=False))
assert torch.equal(fixed, gradient(lambda: layers(x)))
print(json.dumps({"code": "AC107", "flagged": messages.pop(), "fixed": "ok: gradient equals plain autograd"}))
