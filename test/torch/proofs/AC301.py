"""AC301: a lambda over a loop variable is recomputed with the loop's last value."""

import json
import sys

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
blocks = torch.nn.ModuleList(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh()) for _ in range(3))
start = torch.randn(2, 4)


def gradients(run):
    blocks.zero_grad(set_to_none=True)
    x = start.clone().requires_grad_()
    for block in blocks:
        x = run(block, x)
    x.sum().backward()
    return [block[0].weight.grad for block in blocks]


def late(reentrant):
    blocks.zero_grad(set_to_none=True)
    x = start.clone().requires_grad_()
    for block in blocks:
        x = checkpoint(lambda t: block(t), x, use_reentrant=reentrant)
    x.sum().backward()
    return [block[0].weight.grad for block in blocks]


plain = gradients(lambda block, x: block(x))
wrong = late(False)
lost = late(True)
passed = gradients(lambda block, x: checkpoint(block, x, use_reentrant=False))
bound = gradients(lambda block, x: checkpoint(lambda t, block=block: block(t), x, use_reentrant=False))



def output(bind):
    stack = [torch.nn.Linear(4, 4) for _ in range(3)]
    for index, layer in enumerate(stack):
        torch.nn.init.constant_(layer.weight, index + 1.0)
        torch.nn.init.zeros_(layer.bias)
    x = expected = torch.ones(1, 4)
    for layer in stack:
        expected = layer(expected)
    for layer in stack:
        original = layer.forward
        if bind:
            layer.forward = lambda t, original=original: checkpoint(original, t, use_reentrant=False)
        else:
            layer.forward = lambda t: checkpoint(original, t, use_reentrant=False)
    for layer in stack:
        x = layer(x)
    return (x[0, 0] / expected[0, 0]).item()


replaced_late, replaced_bound = output(False), output(True)

difference = max(float((a - b).abs().max()) for a, b in zip(wrong, plain) if a is not None)
shows = difference > 1e-3 and [one is None for one in lost] == [True, True, False] and replaced_late == 27 / 6
right = all(torch.equal(a, b) and torch.equal(c, b) for a, c, b in zip(passed, bound, plain)) and replaced_bound == 1
print(
    json.dumps(
        {
            "code": "AC301",
            "flagged": f"wrong gradient: off by {difference:.3f}; reentrant: no gradient for all layers but the last; replaced forwards: output {replaced_late} times too large",
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if shows and right else 1)
