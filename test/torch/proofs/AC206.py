"""AC206: DDP that looks for unused parameters meets parameters whose graph does not exist yet."""

import json
import os
import tempfile

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
os.environ.update(MASTER_ADDR="127.0.0.1", RANK="0", WORLD_SIZE="1")
torch.distributed.init_process_group("gloo", init_method=f"file://{tempfile.mktemp()}", rank=0, world_size=1)


class Net(torch.nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.stem, self.block, self.reentrant = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4), reentrant

    def forward(self, t):
        return checkpoint(self.block, self.stem(t), use_reentrant=self.reentrant)


class Shared(Net):
    def forward(self, t):
        return checkpoint(self.block, super().forward(t), use_reentrant=self.reentrant)


def step(reentrant, kind=Net, **options):
    model = torch.nn.parallel.DistributedDataParallel(kind(reentrant), **options)
    for _ in range(2):
        model(torch.randn(2, 4)).sum().backward()


def error(run):
    try:
        run()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"


message = error(lambda: step(True, find_unused_parameters=True))
assert message.startswith("RuntimeError: Expected to mark a variable ready only once."), message
step(True)
step(True, find_unused_parameters=True, static_graph=True)
step(False, find_unused_parameters=True)
shared = error(lambda: step(True, Shared))
assert shared.startswith("RuntimeError: Expected to mark a variable ready only once."), shared
step(True, Shared, static_graph=True)
step(False, Shared)
torch.distributed.destroy_process_group()
print(json.dumps({"code": "AC206", "flagged": message.split(". ")[0], "fixed": "ok: trains without the flag, with a static graph, and non-reentrant"}))
