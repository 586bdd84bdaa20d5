"""AC109: checkpoint_wrapper sets use_reentrant itself and raises for a second one."""

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


messages = {error(lambda: checkpoint_wrapper(layer, use_reentrant=variant)) for variant in (True, False)}
assert messages == {"TypeError: functools.partial() got multiple values for keyword argument 'use_reentrant'"}, messages
fixed = gradient(lambda: checkpoint_wrapper(layer, checkpoint_impl=CheckpointImpl.NO_REENTRANT)(x))
assert torch.equal(fixed, gradient(lambda: layer(x)))
print(json.dumps({"code": "AC109", "flagged": messages.pop(), "fixed": "ok: gradient equals plain autograd"}))
