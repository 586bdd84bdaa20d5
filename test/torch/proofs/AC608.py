"""Dropout in a region with preserve_rng_state=False: wrong gradients in eager mode, right ones in a compiled function."""

import json
import sys
import warnings

import torch
from torch import nn
from torch.nn.functional import dropout
from torch.utils.checkpoint import checkpoint

warnings.simplefilter("ignore")
torch.manual_seed(0)
linear = nn.Linear(64, 64)


def block(x):
    return dropout(linear(x), 0.5)


def step(x, preserve):
    return checkpoint(block, x, use_reentrant=False, preserve_rng_state=preserve)


def gradient_is_right(function, preserve):
    """The bias gradient counts how often its output was kept, times two."""
    linear.zero_grad()
    torch.manual_seed(3)
    outputs = function(torch.ones(4, 64, requires_grad=True), preserve)
    torch.manual_seed(9)
    outputs.sum().backward()
    return torch.allclose(linear.bias.grad, 2.0 * (outputs != 0).sum(0))


compiled = torch.compile(step, backend="aot_eager")
eager = [gradient_is_right(step, True), gradient_is_right(step, False)]
under_compile = [gradient_is_right(compiled, True), gradient_is_right(compiled, False)]
right = eager == [True, False] and under_compile == [True, True]
flagged = "no effect: the compiled gradient is right in spite of preserve_rng_state=False"
print(json.dumps({"code": "AC608", "flagged": flagged, "fixed": "ok: the same gradient" if right else "not as described"}))
sys.exit(0 if right else 1)
