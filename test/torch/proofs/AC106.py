"""AC106: torch.utils.checkpoint is a module and cannot be called."""

import json

import torch.utils.checkpoint

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


message = error(lambda: torch.utils.checkpoint(layer, x))
assert message == "TypeError: 'module' object is not callable", message
fixed = gradient(lambda: torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC106", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
