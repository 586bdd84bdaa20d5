"""The storages that are alive while a training step runs: what is left after the forward pass, and the most there ever was."""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class LiveStorages(TorchDispatchMode):
    def __init__(self, outside):
        super().__init__()
        self._outside = outside
        self._seen = {tensor.untyped_storage()._cdata for tensor in outside}
        self.live = 0
        self.peak = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                self._meet(tensor.untyped_storage())
        return result

    def _meet(self, storage):
        address = storage._cdata
        if address in self._seen:
            return
        self._seen.add(address)
        self.live += storage.nbytes()
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._part, address, storage.nbytes())

    def _part(self, address, size):
        self._seen.discard(address)
        self.live -= size


def step_memory(model, inputs, forward):
    """Bytes after the forward pass and at the peak; a weight's gradient goes as soon as it has been accumulated."""
    hooks = [
        weight.register_post_accumulate_grad_hook(lambda weight: setattr(weight, "grad", None))
        for weight in model.parameters()
        if weight.requires_grad
    ]
    with LiveStorages([*model.parameters(), *model.buffers(), *inputs]) as storages:
        loss = forward()
        after_forward = storages.live
        loss.backward()
    for hook in hooks:
        hook.remove()
    return {"afterForwardBytes": after_forward, "peakBytes": storages.peak}
