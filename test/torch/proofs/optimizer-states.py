"""
What torch's optimizers keep for each tensor, and what fully_shard leaves on the first of eight ranks. The bytes are those of
test/goldens/optimizer-states.json, which the unit tests compare the budget with; `--write` renews that file.
"""

import json
import pathlib
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore

golden = pathlib.Path(__file__).parents[2] / "goldens" / "optimizer-states.json"

tensors = {"matrix": [6, 8], "tall": [300, 20], "bias": [8], "kernel": [4, 3, 2, 2], "scalar": [1]}
optimizers = {
    "adamw": torch.optim.AdamW,
    "adamw amsgrad": lambda weights: torch.optim.AdamW(weights, amsgrad=True),
    "adamw foreach": lambda weights: torch.optim.AdamW(weights, foreach=True),
    "sgd": torch.optim.SGD,
    "sgd momentum": lambda weights: torch.optim.SGD(weights, momentum=0.9),
    "adafactor": torch.optim.Adafactor,
    "muon": torch.optim.Muon,
}
types = {"fp32": torch.float32, "bf16": torch.bfloat16}


def local(tensor):
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def state_bytes(optimizer):
    """Bytes by name of state, the counters of steps left out."""
    kept = {}
    for states in optimizer.state.values():
        for name, value in states.items():
            if torch.is_tensor(value) and name != "step":
                kept[name] = kept.get(name, 0) + local(value).numel() * value.element_size()
    return kept


def one_device():
    rows = []
    for name, make in optimizers.items():
        for type_name, type in types.items():
            shapes = [shape for shape in tensors.values() if name != "muon" or len(shape) == 2]
            weights = [nn.Parameter(torch.randn(shape, dtype=type)) for shape in shapes]
            optimizer = make(weights)
            for weight in weights:
                weight.grad = torch.randn_like(weight)
            optimizer.step()
            rows.append({"optimizer": name, "type": type_name, "shapes": shapes, "states": state_bytes(optimizer)})
    return rows


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(100, 301)
        self.down = nn.Linear(301, 100)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


def sharded(make):
    """A model whose rows do not divide by eight, its parameters sharded, one step taken."""
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    mesh = init_device_mesh("cpu", (8,))
    model = nn.Sequential(nn.Embedding(50, 100), Layer(), Layer(), nn.Linear(100, 10))
    whole = {name: list(weight.shape) for name, weight in model.named_parameters()}
    for module in (model[1], model[2], model):
        fully_shard(module, mesh=mesh, mp_policy=policy)
    optimizer = make(model.parameters())
    model(torch.randint(0, 50, (2, 5))).sum().backward()
    optimizer.step()
    weights = list(model.parameters())
    return {
        "ranks": 8,
        "weights": whole,
        "parameterBytes": sum(local(weight).numel() * 4 for weight in weights),
        "gradientBytes": sum(local(weight.grad).numel() * weight.grad.element_size() for weight in weights),
        "states": state_bytes(optimizer),
    }


dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=8)
measured = {"torch": torch.__version__.split("+")[0], "oneDevice": one_device(), "fullyShard": sharded(torch.optim.AdamW)}
try:
    sharded(torch.optim.Adafactor)
    refused = ""
except RuntimeError as error:
    refused = str(error).split(":")[0]

if "--write" in sys.argv:
    golden.write_text(json.dumps(measured, indent=2) + "\n")
kept = json.loads(golden.read_text())
equal = kept["oneDevice"] == measured["oneDevice"] and kept["fullyShard"] == measured["fullyShard"]
print(
    json.dumps(
        {
            "code": "optimizer-states",
            "flagged": f"Adafactor on fully_shard raises: {refused}" if refused else "Adafactor steps on fully_shard",
            "fixed": f"{len(measured['oneDevice'])} optimizers and one sharded model keep the bytes the budget counts"
            if equal
            else "other bytes than test/goldens/optimizer-states.json",
        }
    )
)
sys.exit(0 if equal and refused else 1)
