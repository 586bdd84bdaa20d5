"""AC204: tensors in lists, dicts and dataclasses are not seen by the reentrant variant."""

import dataclasses
import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
@dataclasses.dataclass
class Output:
    hidden: torch.Tensor


layer = torch.nn.Linear(4, 4)
x = torch.randn(2, 4, requires_grad=True)
shapes = {
    "list in": lambda reentrant: checkpoint(lambda pair: layer(pair[0]), [x], use_reentrant=reentrant),
    "dict in": lambda reentrant: checkpoint(lambda pair: layer(pair["x"]), {"x": x}, use_reentrant=reentrant),
    "dict out": lambda reentrant: checkpoint(lambda t: {"x": layer(t)}, x, use_reentrant=reentrant)["x"],
    "dataclass out": lambda reentrant: checkpoint(lambda t: Output(layer(t)), x, use_reentrant=reentrant).hidden,
    "list in a tuple": lambda reentrant: checkpoint(lambda t: (t, [layer(t)]), x, use_reentrant=reentrant)[1][0],
}
for name, run in shapes.items():
    assert not run(True).requires_grad, name
    layer.zero_grad()
    run(False).sum().backward()
    fixed = layer.weight.grad.clone()
    layer.zero_grad()
    layer(x).sum().backward()
    assert torch.equal(fixed, layer.weight.grad), name
print(json.dumps({"code": "AC204", "flagged": "silent: requires_grad=False behind the region for " + ", ".join(shapes), "fixed": "ok: gradient equals plain autograd"}))
