"""AC303: Python's random numbers and an own generator go on where forward left them."""

import json
import random
import sys
import time

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
linear = torch.nn.Linear(8, 8)
start = torch.randn(4, 8)
generator = torch.Generator()
kept = random.Random(5)


def python_scale(x):
    return (linear(x) * random.random()).tanh()


def own_generator(x):
    return (linear(x) * torch.rand(8, generator=generator)).tanh()


def own_random(x):
    return (linear(x) * kept.random()).tanh()


def clock(x):
    torch.manual_seed(time.time_ns())
    return (linear(x) * torch.rand(8)).tanh()


def torch_default(x):
    return (linear(x) * torch.rand(8)).tanh()


def gradient(function, run):
    random.seed(3)
    generator.manual_seed(3)
    kept.seed(3)
    torch.manual_seed(3)
    linear.zero_grad(set_to_none=True)
    run(function, start.clone().requires_grad_()).sum().backward()
    return linear.weight.grad


def difference(function):
    plain = gradient(function, lambda f, x: f(x))
    again = gradient(function, lambda f, x: checkpoint(f, x, use_reentrant=False))
    return float((plain - again).abs().max())


wrong = [difference(function) for function in (python_scale, own_generator, own_random, clock)]
right = difference(torch_default) == 0
print(
    json.dumps(
        {
            "code": "AC303",
            "flagged": f"wrong gradient: off by {wrong[0]:.3f} (random.random), {wrong[1]:.3f} (own torch.Generator), "
            f"{wrong[2]:.3f} (own random.Random), {wrong[3]:.3f} (a seed from the clock)",
            "fixed": "ok: gradient equals plain autograd" if right else "wrong gradient",
        }
    )
)
sys.exit(0 if min(wrong) > 1e-3 and right else 1)
