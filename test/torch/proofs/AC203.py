"""AC203: a reentrant region that is fed data gives its parameters no gradient."""

import json

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
stem, head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
embedding = torch.nn.Embedding(8, 4)
images, ids = torch.randn(2, 4), torch.tensor([1, 2])


def stem_gradient(reentrant):
    stem.zero_grad(set_to_none=True)
    head(checkpoint(stem, images, use_reentrant=reentrant)).sum().backward()
    return stem.weight.grad


assert stem_gradient(True) is None and not checkpoint(embedding, ids, use_reentrant=True).requires_grad
fixed = stem_gradient(False)
stem.zero_grad(set_to_none=True)
head(stem(images)).sum().backward()
assert torch.equal(fixed, stem.weight.grad)
print(json.dumps({"code": "AC203", "flagged": "silent: the stem gets no gradient while the head trains", "fixed": "ok: gradient equals plain autograd"}))
