"""Live memory of a step: one region over all layers peaks where no checkpointing does, a region for each layer far below."""

import json
import sys
import weakref

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import checkpoint

layers = 8


class LiveBytes(TorchDispatchMode):
    """Counts storages from the operation that makes them until they are freed."""

    def __init__(self):
        super().__init__()
        self.live = self.peak = 0
        self.seen = weakref.WeakKeyDictionary()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                storage = tensor.untyped_storage()
                if storage not in self.seen:
                    size = storage.nbytes()
                    self.seen[storage] = True
                    self.live += size
                    self.peak = max(self.peak, self.live)
                    weakref.finalize(storage, self.free, size)
        return result

    def free(self, size):
        self.live -= size


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 64)
        self.down = nn.Linear(64, 16)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(layers)])

    def run(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    def none(self, x):
        return self.run(x)

    def whole(self, x):
        return checkpoint(self.run, x, use_reentrant=False)

    def each(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


def peak_of(plan):
    torch.manual_seed(0)
    model = Model()
    inputs = torch.ones(256, 16, requires_grad=True)
    with LiveBytes() as memory:
        getattr(model, plan)(inputs).sum().backward()
    return memory.peak, model.blocks[0].up.weight.grad


(none, expected), (whole, first), (each, second) = peak_of("none"), peak_of("whole"), peak_of("each")
right = whole >= 0.98 * none and each < 0.5 * none and torch.equal(expected, first) and torch.equal(expected, second)
flagged = f"peak {whole} bytes, {none} without checkpointing"
fixed = f"ok: {each} bytes with a region for each layer, the same gradient"
print(json.dumps({"code": "AC501", "flagged": flagged, "fixed": fixed if right else "not as described"}))
sys.exit(0 if right else 1)
