"""AC201: context_fn and debug raise under the reentrant variant; noop_context_fn does not; the non-reentrant one works."""
import json
from functools import partial

import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts, noop_context_fn

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op == torch.ops.aten.addmm.default else CheckpointPolicy.PREFER_RECOMPUTE


selective = partial(create_selective_checkpoint_contexts, policy)


def region(t):
    return layer(t).tanh()


def error(**options):
    try:
        checkpoint(region, x, **options)
    except ValueError as raised:
        return str(raised)


messages = [error(context_fn=selective), error(use_reentrant=True, context_fn=selective), error(use_reentrant=True, debug=True)]
assert all(message and "only supported when use_reentrant=False" in message for message in messages), messages
assert error(use_reentrant=True, context_fn=noop_context_fn, debug=False) is None
region(x).sum().backward()
expected = layer.weight.grad.clone()
layer.zero_grad()
checkpoint(region, x, use_reentrant=False, context_fn=selective).sum().backward()
assert torch.equal(layer.weight.grad, expected)
print(json.dumps({"code": "AC201", "flagged": "ValueError: " + messages[0], "fixed": "ok: gradient equals plain autograd"}))
