"""AC310: a home-made checkpoint reruns dropout with other random numbers."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
start = torch.randn(4, 8)
block = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 8))


class HomeMade(torch.autograd.Function):
    @staticmethod
    def forward(ctx, function, x):
        ctx.function = function
        ctx.save_for_backward(x)
        with torch.no_grad():
            return ctx.function(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.function(x)
        torch.autograd.backward(y, grad)
        return None, x.grad


def gradient(run):
    torch.manual_seed(1)
    block.zero_grad(set_to_none=True)
    run(start.clone().requires_grad_()).sum().backward()
    return block[0].weight.grad


plain = gradient(block)
difference = float((gradient(lambda x: HomeMade.apply(block, x)) - plain).abs().max())
right = torch.equal(gradient(lambda x: checkpoint(block, x, use_reentrant=False)), plain)
print(
    json.dumps(
        {
            "code": "AC310",
            "flagged": f"wrong gradient: off by {difference:.3f}",
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if difference > 1e-3 and right else 1)
