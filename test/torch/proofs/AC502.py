"""Under no_grad and inference_mode a checkpointed region is one forward: nothing is kept, nothing runs again."""

import json
import sys
import warnings

import torch
from torch.utils.checkpoint import checkpoint

warnings.simplefilter("ignore")
calls = 0


def block(x):
    global calls
    calls += 1
    return torch.sin(x)


def forwards(mode, reentrant):
    global calls
    calls = 0
    with mode():
        outputs = checkpoint(block, torch.ones(3, requires_grad=True), use_reentrant=reentrant)
    if outputs.requires_grad:
        outputs.sum().backward()
    return calls


without = [forwards(mode, reentrant) for mode in (torch.no_grad, torch.inference_mode) for reentrant in (True, False)]
trained = [forwards(torch.enable_grad, reentrant) for reentrant in (True, False)]
right = without == [1, 1, 1, 1] and trained == [2, 2]
fixed = "ok: two forwards where gradients are recorded" if right else "not as described"
print(json.dumps({"code": "AC502", "flagged": "one plain forward, nothing is recomputed", "fixed": fixed}))
sys.exit(0 if right else 1)
