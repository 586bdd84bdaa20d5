"""AC110: offload_to_cpu goes on to the wrapped module."""

import json

import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper

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


message = error(lambda: checkpoint_wrapper(layer, offload_to_cpu=False)(x))
assert message == "TypeError: Linear.forward() got an unexpected keyword argument 'offload_to_cpu'", message
other = error(lambda: checkpoint_wrapper(layer, checkpoint_impl=CheckpointImpl.REENTRANT, offload_to_cpu=False)(x))
assert other == "ValueError: Unexpected keyword arguments: offload_to_cpu", other
fixed = gradient(lambda: checkpoint_wrapper(layer)(x))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC110", "flagged": message, "fixed": "ok: gradient equals plain autograd"}))
