"""Methods of a model are not there on DistributedDataParallel and DataParallel; FSDP hands them on, so it is not meant."""

import json
import os
import sys
import warnings

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel

warnings.simplefilter("ignore")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.enabled = False

    def gradient_checkpointing_enable(self):
        self.enabled = True


def error_of(wrapped):
    try:
        wrapped.gradient_checkpointing_enable()
    except AttributeError as error:
        return f"AttributeError: {error}"
    return "no error"


os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29561", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
flagged = [error_of(DistributedDataParallel(Model())), error_of(nn.DataParallel(Model()))]
wrapped = DistributedDataParallel(Model())
wrapped.module.gradient_checkpointing_enable()
handed_on = error_of(FullyShardedDataParallel(Model(), device_id=torch.device("cpu"))) == "no error"
right = (
    flagged[0] == "AttributeError: 'DistributedDataParallel' object has no attribute 'gradient_checkpointing_enable'"
    and flagged[1] == "AttributeError: 'DataParallel' object has no attribute 'gradient_checkpointing_enable'"
    and wrapped.module.enabled
    and handed_on
)
fixed = "ok: .module reaches the method, FSDP hands it on" if right else "not as described"
print(json.dumps({"code": "AC606", "flagged": flagged[0], "fixed": fixed}))
dist.destroy_process_group()
sys.exit(0 if right else 1)
