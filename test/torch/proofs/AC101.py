"""AC101: without use_reentrant torch warns and runs the reentrant variant; both fixes are silent and agree on the gradient."""
import json
import warnings

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def gradient(**options):
    layer.zero_grad()
    out = layer(x).tanh() if options == {"plain": True} else checkpoint(lambda t: layer(t).tanh(), x, **options)
    out.sum().backward()
    return layer.weight.grad.clone(), type(out.grad_fn).__name__


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    _, name = gradient()
warned = [str(one.message) for one in caught if "use_reentrant" in str(one.message)]
assert warned and name == "CheckpointFunctionBackward", (warned, name)
expected, _ = gradient(plain=True)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert torch.equal(gradient(use_reentrant=False)[0], expected)
    assert torch.equal(gradient(use_reentrant=True)[0], expected)
print(json.dumps({"code": "AC101", "flagged": "UserWarning: " + warned[0][:90], "fixed": "ok: no warning, gradient equals plain autograd"}))
