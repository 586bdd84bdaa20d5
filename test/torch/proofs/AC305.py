"""AC305: batch normalisation updates its averages twice per step; 1-sqrt(1-m) makes up for it."""

import json
import math
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
x = torch.randn(16, 3)


def averages(momentum, checkpointed):
    layer = torch.nn.BatchNorm1d(3, momentum=momentum)
    data = x.clone().requires_grad_()
    out = checkpoint(layer, data, use_reentrant=False) if checkpointed else layer(data)
    (out * out.detach()).sum().backward()
    return int(layer.num_batches_tracked), layer.running_mean


steps, twice = averages(0.1, True)
once = averages(0.1, False)[1]
adapted = averages(1 - math.sqrt(1 - 0.1), True)[1]
right = torch.allclose(adapted, once, rtol=1e-4)
print(
    json.dumps(
        {
            "code": "AC305",
            "flagged": f"{steps} updates per step, running mean {float(twice[0]):.4f} instead of {float(once[0]):.4f}",
            "fixed": "ok: the running mean is that of one update" if right else "another running mean",
        }
    )
)
sys.exit(0 if steps == 2 and not torch.allclose(twice, once, rtol=1e-2) and right else 1)
