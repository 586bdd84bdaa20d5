"""AC402: an operation's packet never equals the overload a policy is asked about."""

import functools
import json
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(0)
block = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4), torch.nn.Tanh())
start = torch.randn(2, 4)


class Count(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.addmm = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.addmm += func == torch.ops.aten.addmm.default
        return func(*args, **(kwargs or {}))


def policy_saving(ops):
    def policy(ctx, op, *args, **kwargs):
        return CheckpointPolicy.MUST_SAVE if op in ops else CheckpointPolicy.PREFER_RECOMPUTE

    return policy


def recomputed(policy):
    block.zero_grad(set_to_none=True)
    contexts = functools.partial(create_selective_checkpoint_contexts, policy)
    loss = checkpoint(block, start.clone().requires_grad_(), use_reentrant=False, context_fn=contexts).sum()
    with Count() as count:
        loss.backward()
    return count.addmm, block[0].weight.grad


packet, gradient = recomputed(policy_saving({torch.ops.aten.addmm}))
overload, saved_gradient = recomputed(policy_saving({torch.ops.aten.addmm.default}))
try:
    create_selective_checkpoint_contexts([torch.ops.aten.addmm])
    error = "no error"
except ValueError as raised:
    error = f"ValueError: {raised}"
right = overload == 0 and torch.equal(gradient, saved_gradient)
print(
    json.dumps(
        {
            "code": "AC402",
            "flagged": f"{packet} of 2 matrix products recomputed although named; list form: {error[:90]}",
            "fixed": "ok: none recomputed, same gradient" if right else f"{overload} recomputed",
        }
    )
)
sys.exit(0 if packet == 2 and "to be an OpOverload but got: aten.addmm" in error and right else 1)
