"""AC307: a custom backward that reads ctx.saved_tensors twice raises inside a non-reentrant region."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        if len(ctx.saved_tensors) == 0:
            return grad
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class Once(Twice):
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def gradient(function, reentrant):
    x = torch.arange(3.0).requires_grad_()
    checkpoint(lambda t: function.apply(t), x, use_reentrant=reentrant).sum().backward()
    return x.grad.tolist()


try:
    error = str(gradient(Twice, False))
except Exception as raised:
    error = f"{type(raised).__name__}: {str(raised).splitlines()[0]}"
hidden = gradient(Twice, True) == [0, 2, 4]
right = gradient(Once, False) == [0, 2, 4]
print(
    json.dumps(
        {
            "code": "AC307",
            "flagged": error,
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if "already unpacked once" in error and hidden and right else 1)
