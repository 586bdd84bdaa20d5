"""AC404: saving every output keeps more than no checkpointing keeps."""

import functools
import json
import sys

import torch
from torch import nn
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(0)
width = 64


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        query, key, value = self.mix(self.norms[0](x)).chunk(3, -1)
        scores = query @ key.transpose(-1, -2) / width**0.5
        x = x + self.out(scores.softmax(-1) @ value)
        return x + self.down(nn.functional.gelu(self.up(self.norms[1](x))))


block = Block()
x = torch.randn(1, width, width, requires_grad=True)
cheap = {torch.ops.aten.gelu.default}
dear = {torch.ops.aten.addmm.default, torch.ops.aten.bmm.default}
weights = {parameter.untyped_storage().data_ptr() for parameter in block.parameters()}


def rest(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_RECOMPUTE if op in cheap else CheckpointPolicy.MUST_SAVE


def everything(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE


def named(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in dear else CheckpointPolicy.PREFER_RECOMPUTE


def storages(value, found):
    if isinstance(value, torch.Tensor):
        storage = value.untyped_storage()
        if storage.data_ptr() not in weights:
            found[storage.data_ptr()] = storage.nbytes()
    elif isinstance(value, dict):
        for one in value.values():
            storages(one, found)
    elif isinstance(value, (list, tuple)):
        for one in value:
            storages(one, found)
    elif hasattr(value, "val"):
        storages(value.val, found)


def kept_by_policy(policy):
    made = []

    def contexts():
        made.append(create_selective_checkpoint_contexts(policy))
        return made[-1]

    y = checkpoint(block, x, use_reentrant=False, context_fn=contexts)
    found = {}
    storages(made[0][0].storage, found)
    del y
    return sum(found.values())


def kept_by_autograd():
    found = {}

    def pack(tensor):
        storages(tensor, found)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = block(x)
    del y
    return sum(found.values())


plain = kept_by_autograd()
all_saved, most_saved, few_saved = kept_by_policy(everything), kept_by_policy(rest), kept_by_policy(named)
shows = all_saved > plain
right = few_saved < plain
print(
    json.dumps(
        {
            "code": "AC404",
            "flagged": f"saving all keeps {all_saved / plain:.2f} times what autograd keeps, all but gelu {most_saved / plain:.2f} times",
            "fixed": f"ok: saving matrix products keeps {few_saved / plain:.2f} times" if right else "no saving",
        }
    )
)
sys.exit(0 if shows and right else 1)
