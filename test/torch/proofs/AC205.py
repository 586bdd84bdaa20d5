"""AC205: outputs that are detached inside a reentrant region."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def error(run):
    try:
        run()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"


@torch.no_grad()
def frozen(t):
    return layer(t)


def both(t):
    hidden = layer(t)
    return hidden, hidden.detach()


message = error(lambda: checkpoint(frozen, x, use_reentrant=True).sum().backward())
assert message == "RuntimeError: none of output has requires_grad=True, this checkpoint() is not necessary", message
assert error(lambda: checkpoint(lambda t: layer(t).detach(), x, use_reentrant=True).sum().backward()) == message
assert checkpoint(both, x, use_reentrant=True)[1].requires_grad
hidden, detached = checkpoint(both, x, use_reentrant=False)
assert hidden.requires_grad and not detached.requires_grad
print(json.dumps({"code": "AC205", "flagged": message, "fixed": "ok: the detached output comes back detached"}))
