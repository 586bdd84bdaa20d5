"""AC302: without the random state, dropout in the recomputation drops other elements."""

import json
import sys

import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.utils.checkpoint import checkpoint

block = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(16, 16))
torch.manual_seed(0)
start = torch.randn(8, 16)


def gradient(run):
    torch.manual_seed(1)
    block.zero_grad(set_to_none=True)
    run(start.clone().requires_grad_()).sum().backward()
    return block[0].weight.grad


def checkpointed(reentrant, keep):
    return gradient(lambda x: checkpoint(block, x, use_reentrant=reentrant, preserve_rng_state=keep))


plain = gradient(block)
differences = [float((checkpointed(reentrant, False) - plain).abs().max()) for reentrant in (False, True)]
differences.append(float((gradient(checkpoint_wrapper(block, preserve_rng_state=False)) - plain).abs().max()))
right = all(torch.equal(checkpointed(reentrant, True), plain) for reentrant in (False, True))
right = right and torch.equal(gradient(checkpoint_wrapper(block)), plain)
print(
    json.dumps(
        {
            "code": "AC302",
            "flagged": f"wrong gradient: off by {differences[0]:.3f}, reentrant by {differences[1]:.3f}, checkpoint_wrapper by {differences[2]:.3f}",
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if min(differences) > 1e-3 and right else 1)
