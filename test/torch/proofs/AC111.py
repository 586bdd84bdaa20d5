"""AC111: without a check_fn every submodule is wrapped, and inner layers run more than twice."""

import json

import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing

torch.manual_seed(0)
runs = {}


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))

    def forward(self, t):
        return self.mlp(t).tanh()


def most_runs(**options):
    model = torch.nn.Sequential(Block(), Block())
    inner = [module for module in model.modules() if isinstance(module, torch.nn.Linear)]
    apply_activation_checkpointing(model, **options)
    runs.clear()
    for module in inner:
        module.register_forward_pre_hook(lambda module, _: runs.update({module: runs.get(module, 0) + 1}))
    model(torch.randn(2, 4)).sum().backward()
    return max(runs.values())


default = most_runs()
chosen = most_runs(check_fn=lambda module: isinstance(module, Block))
assert (default, chosen) == (4, 2), (default, chosen)
print(json.dumps({"code": "AC111", "flagged": f"inner layers run {default} times a step", "fixed": f"ok: {chosen} times, once more than without checkpointing"}))
