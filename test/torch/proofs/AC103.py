"""AC103: the reentrant variant takes determinism_check and early_stop, whatever their value, and ignores them."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
ran = []


class Layer(torch.nn.Linear):
    def forward(self, t):
        out = super().forward(t)
        ran.append("end")
        return out


layer = Layer(4, 4)
x = torch.randn(2, 4, requires_grad=True)


def runs(**options):
    ran.clear()
    checkpoint(layer, x, **options).sum().backward()
    return len(ran)


ignored = {runs(use_reentrant=True, early_stop=stop, determinism_check="bogus") for stop in (True, False)}
assert ignored == {2}, ignored
assert runs(use_reentrant=True) == 2
assert (runs(use_reentrant=False, early_stop=True), runs(use_reentrant=False, early_stop=False)) == (1, 2)
print(json.dumps({"code": "AC103", "flagged": "no effect: the region runs to its end twice, and a check that does not exist is accepted", "fixed": "ok: the same without the options; with use_reentrant=False early_stop counts"}))
