"""Selective checkpointing: keep what is dear to compute again, recompute what is cheap."""

from functools import partial

import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

DEAR = {
    torch.ops.aten.mm.default,
    torch.ops.aten.bmm.default,
    torch.ops.aten._scaled_dot_product_flash_attention.default,
}


def policy(context, operation, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if operation in DEAR else CheckpointPolicy.PREFER_RECOMPUTE


keep_products = partial(create_selective_checkpoint_contexts, policy)


def run_blocks(blocks, x):
    for block in blocks:
        # A policy needs the non-reentrant variant; the reentrant one refuses `context_fn`.
        x = checkpoint(block, x, use_reentrant=True, context_fn=keep_products)
    return x


def run_blocks_as_meant(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False, context_fn=keep_products)
    return x
