"""AC116: a position that belongs to another parameter: nothing raises, and the two branches compute different things."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(4, 4))

    def forward(self, hidden, mask=None, bias=None):
        hidden = hidden @ self.weight
        if mask is not None:
            hidden = hidden * mask
        return hidden if bias is None else hidden + bias


layer = Layer()
hidden = torch.randn(2, 4, requires_grad=True)
bias = torch.randn(4)
plain = layer(hidden, bias=bias)
counted = checkpoint(layer, hidden, bias, use_reentrant=False)
named = checkpoint(layer, hidden, bias=bias, use_reentrant=False)
difference = (counted - plain).abs().max().item()
assert difference > 1e-3 and torch.equal(named, plain)
print(json.dumps({"code": "AC116", "flagged": f"wrong output: off by {difference:.3f}", "fixed": "ok: both branches compute the same"}))
