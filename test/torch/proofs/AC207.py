"""AC207: reentrant layers over frozen embeddings keep the gradient from what is trainable inside them."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
embedding, base, adapter = torch.nn.Embedding(8, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
embedding.requires_grad_(False)
base.requires_grad_(False)
ids = torch.tensor([1, 2])


def adapted(t):
    return base(t) + adapter(t)


def gradient(reentrant, hook=False):
    adapter.zero_grad(set_to_none=True)
    hidden = embedding(ids)
    if hook:
        hidden.requires_grad_(True)
    checkpoint(adapted, hidden, use_reentrant=reentrant).sum().backward()
    return adapter.weight.grad


try:
    gradient(True)
    raise AssertionError("the backward pass should have raised")
except RuntimeError as raised:
    message = str(raised)
assert message == "element 0 of tensors does not require grad and does not have a grad_fn", message
adapter.zero_grad(set_to_none=True)
adapted(embedding(ids)).sum().backward()
plain = adapter.weight.grad.clone()
assert torch.equal(gradient(False), plain) and torch.equal(gradient(True, hook=True), plain)
print(json.dumps({"code": "AC207", "flagged": f"RuntimeError: {message}", "fixed": "ok: gradient equals plain autograd"}))
