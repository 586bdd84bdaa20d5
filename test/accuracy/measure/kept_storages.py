"""What autograd keeps of a forward pass, by module, counted in distinct storages; on the meta device nothing is allocated."""

import contextlib

import torch
import torch.nn.functional as F


class KeptStorages:
    """Storages saved for backward while the context is open. Parameters, buffers and the caller's inputs do not count."""

    def __init__(self, model, inputs):
        self.bytes_of = {}
        self.module_of = {}
        self._skipped = {key(tensor) for tensor in [*model.parameters(), *model.buffers(), *inputs]}
        self._alive = []
        self._running = [""]
        self._hooks = []
        for name, module in model.named_modules():
            self._hooks.append(module.register_forward_pre_hook(lambda *_, name=name: self._running.append(name)))
            self._hooks.append(module.register_forward_hook(lambda *_: (self._running.pop(), None)[1], always_call=True))

    def __enter__(self):
        self._saving = torch.autograd.graph.saved_tensors_hooks(self._pack, lambda tensor: tensor)
        self._saving.__enter__()
        return self

    def __exit__(self, *raised):
        self._saving.__exit__(*raised)
        for hook in self._hooks:
            hook.remove()

    def _pack(self, tensor):
        storage = key(tensor)
        if storage not in self._skipped and storage not in self.bytes_of:
            self.bytes_of[storage] = tensor.untyped_storage().nbytes()
            self.module_of[storage] = self._running[-1]
            # Held, so that no other storage gets the same address.
            self._alive.append(tensor)
        return tensor

    def within(self, prefix):
        return sum(
            size
            for storage, size in self.bytes_of.items()
            if self.module_of[storage] == prefix or self.module_of[storage].startswith(prefix + ".")
        )

    def total(self):
        return sum(self.bytes_of.values())


def key(tensor):
    return tensor.untyped_storage()._cdata


@contextlib.contextmanager
def cuda_kernels(attention):
    """The operations that CUDA takes where the meta device would take others: a one-byte dropout mask, fused attention."""
    dropout, attend = F.dropout, F.scaled_dot_product_attention

    def masked_dropout(input, p=0.5, training=True, inplace=False):
        return torch.native_dropout(input, p, True)[0] if training and p > 0 else input

    def fused(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        if attention == "flash" and attn_mask is None and query.dtype != torch.float32:
            return torch.ops.aten._scaled_dot_product_flash_attention(
                query, key, value, dropout_p, is_causal, False, scale=scale
            )[0]
        groups = query.shape[1] // key.shape[1]
        if enable_gqa and groups > 1:
            key, value = (each.repeat_interleave(groups, 1) for each in (key, value))
        if attn_mask is not None:
            if attn_mask.dtype == torch.bool:
                zeros = torch.zeros(attn_mask.shape, dtype=query.dtype, device=query.device)
                attn_mask = zeros.masked_fill(~attn_mask, float("-inf"))
            attn_mask = attn_mask.expand(*query.shape[:3], key.shape[2])
        return torch.ops.aten._scaled_dot_product_efficient_attention(
            query, key, value, attn_mask, True, dropout_p, is_causal, scale=scale
        )[0]

    F.dropout, F.scaled_dot_product_attention = masked_dropout, fused
    try:
        yield
    finally:
        F.dropout, F.scaled_dot_product_attention = dropout, attend
