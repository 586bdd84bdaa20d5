"""AC408: the memory budget is a setting of torch._functorch.config alone."""

import json
import sys

import torch
import torch._dynamo.config
import torch._functorch.config
import torch._inductor.config


def error(config):
    try:
        config.activation_memory_budget = 0.5
    except AttributeError as raised:
        return f"AttributeError: {raised}"
    return "no error"


errors = [error(torch._dynamo.config), error(torch._inductor.config)]
before = torch._functorch.config.activation_memory_budget
right = error(torch._functorch.config) == "no error" and torch._functorch.config.activation_memory_budget == 0.5
torch._functorch.config.activation_memory_budget = before
print(json.dumps({"code": "AC408", "flagged": "; ".join(errors), "fixed": "ok: set" if right else "not set"}))
sys.exit(0 if all(one.endswith("activation_memory_budget does not exist") for one in errors) and right else 1)
