import type { Reports } from './report.ts';

/** Selective checkpointing, and the budget of the compiler. */
export const selective: Reports = {
  R39: {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

costly = {torch.ops.aten.mm, torch.ops.aten._scaled_dot_product_flash_attention}

def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in costly else CheckpointPolicy.PREFER_RECOMPUTE

def run(block, x):
    contexts = partial(create_selective_checkpoint_contexts, policy)
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
    codes: ['AC402', 'AC402'],
  },
  R40: {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

keep = [torch.ops.aten.mm.default]

def run(block, x):
    return checkpoint(block, x, use_reentrant=False, context_fn=create_selective_checkpoint_contexts(keep))
`,
    codes: ['AC401'],
  },
  R41: {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

contexts = partial(create_selective_checkpoint_contexts, [torch.ops.aten.mm.default])

def step(trunk, heads, x):
    hidden = checkpoint(trunk, x, use_reentrant=False, context_fn=contexts)
    heads.first(hidden).sum().backward(retain_graph=True)
    heads.second(hidden).sum().backward()
`,
    codes: ['AC406'],
  },
  R42: {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

seen = 0

def every_second(ctx, op, *args, **kwargs):
    global seen
    if op == torch.ops.aten.mm.default:
        seen += 1
        return CheckpointPolicy.MUST_SAVE if seen % 2 else CheckpointPolicy.PREFER_RECOMPUTE
    return CheckpointPolicy.PREFER_RECOMPUTE

def run(block, x):
    contexts = partial(create_selective_checkpoint_contexts, every_second)
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
    codes: ['AC405'],
    versions: { torch: '2.6.0' },
  },
  R43: {
    shape: `
from functools import partial
import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

products = [torch.ops.aten.mm.default, torch.ops.aten.addmm.default]

def policy(ctx, op, *args, **kwargs):
    if op in products:
        return CheckpointPolicy.MUST_RECOMPUTE
    return CheckpointPolicy.MUST_SAVE

def run(block, x):
    contexts = partial(create_selective_checkpoint_contexts, policy)
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
    codes: ['AC404'],
  },
  R44: { outOfReach: 'which kernels the dispatcher sees is decided by libraries; a policy cannot tell' },
  R45: { outOfReach: 'which saved tensor a later operation writes into needs the tensors themselves' },
  R46: { outOfReach: 'where the compiler breaks its graph shows only when it runs' },
  R47: {
    shape: `
import torch
import torch._dynamo

torch._dynamo.config.activation_memory_budget = 0.5
model = torch.compile(build())
`,
    codes: ['AC408'],
  },
};
