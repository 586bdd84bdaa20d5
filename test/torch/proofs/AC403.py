"""AC403: a set or tuple of operations is refused, a list of the same is taken."""

import json
import sys

import torch
from torch.utils.checkpoint import create_selective_checkpoint_contexts

op = torch.ops.aten.mm.default


def error(ops):
    try:
        create_selective_checkpoint_contexts(ops)
    except TypeError as raised:
        return f"TypeError: {raised}"
    return "no error"


errors = {error(ops) for ops in ({op}, (op,), frozenset([op]), {op: True})}
right = error([op]) == "no error"
print(json.dumps({"code": "AC403", "flagged": " / ".join(errors), "fixed": "ok: accepted" if right else "refused"}))
sys.exit(0 if errors == {"TypeError: policy_fn_or_list must be either a function or a list of ops."} and right else 1)
