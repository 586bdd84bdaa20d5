"""Two regions around the same layer: two forwards where both are non-reentrant, three where one is reentrant."""

import json
import sys
import warnings

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper
from torch.utils.checkpoint import checkpoint

warnings.simplefilter("ignore")
forwards = 0


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 32)
        self.down = nn.Linear(32, 8)

    def forward(self, x):
        global forwards
        forwards += 1
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


class Checkpointed(nn.Module):
    def __init__(self, block, reentrant):
        super().__init__()
        self.block = block
        self.reentrant = reentrant

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=self.reentrant)


def forwards_in_a_step(outer, inner):
    global forwards
    forwards = 0
    torch.manual_seed(0)
    block = Block()
    inside = block if inner is None else Checkpointed(block, inner)
    implementation = CheckpointImpl.REENTRANT if outer else CheckpointImpl.NO_REENTRANT
    model = checkpoint_wrapper(inside, checkpoint_impl=implementation)
    model(torch.ones(4, 8, requires_grad=True)).sum().backward()
    return forwards, block.up.weight.grad.clone()


once, expected = forwards_in_a_step(False, None)
nested = {(outer, inner): forwards_in_a_step(outer, inner) for outer in (False, True) for inner in (False, True)}
counts = {key: count for key, (count, _) in nested.items()}
right = (
    once == 2
    and counts == {(False, False): 2, (False, True): 3, (True, False): 3, (True, True): 3}
    and all(torch.equal(gradient, expected) for _, gradient in nested.values())
)
flagged = f"{counts[True, True]} forwards of each layer a step"
print(json.dumps({"code": "AC503", "flagged": flagged, "fixed": "ok: 2 forwards, the same gradient" if right else "not as described"}))
sys.exit(0 if right else 1)
