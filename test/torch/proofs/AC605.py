"""Two processes: a reentrant region around FSDP gathers a layer's parameters three times a step, all other orders twice."""

import json
import os
import sys
import warnings
from functools import partial

import torch
import torch.distributed as dist
import torch.distributed.fsdp._flat_param as flat_param
import torch.multiprocessing as processes
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper
from torch.distributed.fsdp import FullyShardedDataParallel

layers = 3
gatherings = 0
gather = flat_param.FlatParamHandle._all_gather_flat_param


def counted(self, *given, **named):
    global gatherings
    gatherings += 1
    return gather(self, *given, **named)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 32)
        self.down = nn.Linear(32, 8)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


def gatherings_per_layer(wrap):
    """Also the squared length of the whole gradient, which must not depend on the order."""
    global gatherings
    torch.manual_seed(0)
    fsdp = partial(FullyShardedDataParallel, device_id=torch.device("cpu"), use_orig_params=True)
    model = fsdp(nn.Sequential(*[wrap(fsdp, Block()) for _ in range(layers)]))
    inputs = torch.ones(4, 8, requires_grad=True)
    gatherings = 0
    model(inputs).square().sum().backward()
    length = sum(part.grad.square().sum() for part in model.parameters() if part.grad is not None and part.grad.numel())
    length = torch.as_tensor(float(length))
    dist.all_reduce(length)
    return gatherings / layers, round(float(length), 2)


def run(rank, port):
    warnings.simplefilter("ignore")
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE="2")
    dist.init_process_group("gloo")
    flat_param.FlatParamHandle._all_gather_flat_param = counted
    reentrant = partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.REENTRANT)
    around, expected = gatherings_per_layer(lambda fsdp, block: reentrant(fsdp(block)))
    inside, same = gatherings_per_layer(lambda fsdp, block: fsdp(reentrant(block)))
    other, also = gatherings_per_layer(lambda fsdp, block: checkpoint_wrapper(fsdp(block)))
    right = (around, inside, other) == (3, 2, 2) and expected == same == also
    if rank == 0:
        flagged = f"{around:g} gatherings of each layer a step"
        fixed = f"ok: {other:g} non-reentrant, {inside:g} with FSDP outside, the same gradient"
        print(json.dumps({"code": "AC605", "flagged": flagged, "fixed": fixed if right else "not as described"}))
    dist.destroy_process_group()
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    processes.spawn(run, args=(29563,), nprocs=2)
