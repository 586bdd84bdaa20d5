import { reads } from './check.ts';

const gpt2 = `
import functools
import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl, apply_activation_checkpointing, checkpoint_wrapper, offload_wrapper)
from transformers import AutoModelForCausalLM
from transformers.models.gpt2.modeling_gpt2 import GPT2Block
model = AutoModelForCausalLM.from_pretrained("gpt2")
`;

// apply_activation_checkpointing

reads(
  'the class of the layers',
  `${gpt2}apply_activation_checkpointing(model, check_fn=lambda module: isinstance(module, GPT2Block))
`,
  { checkpointing: 'full 1 non-reentrant apply_activation_checkpointing @8:1' },
);

reads(
  'the reentrant wrapper, and a function of its own for the class',
  `${gpt2}def is_layer(module):
    return isinstance(module, (GPT2Block,))
apply_activation_checkpointing(model,
    checkpoint_wrapper_fn=functools.partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.REENTRANT),
    check_fn=is_layer)
`,
  { checkpointing: 'full 1 reentrant apply_activation_checkpointing @10:1' },
);

reads(
  'by a policy of FSDP',
  `${gpt2}from torch.distributed.fsdp.wrap import ModuleWrapPolicy
apply_activation_checkpointing(model, auto_wrap_policy=ModuleWrapPolicy({GPT2Block}))
`,
  { checkpointing: 'full 1 non-reentrant apply_activation_checkpointing @9:1' },
);

reads(
  'a part of the layers has no account',
  `${gpt2}apply_activation_checkpointing(model, check_fn=lambda module: isinstance(module, GPT2MLP))
`,
  { checkpointing: 'none 1 assumed', notes: [/line 8 checkpoints only GPT2MLP/] },
);

reads(
  'every module at every depth',
  `${gpt2}apply_activation_checkpointing(model)
`,
  {
    checkpointing: 'full 1 non-reentrant apply_activation_checkpointing = every module is wrapped, at every depth @8:1',
    notes: [/wraps every module/],
  },
);

reads(
  'a check that the file does not have',
  `${gpt2}apply_activation_checkpointing(model, check_fn=choose)
`,
  {
    checkpointing: 'full 1 non-reentrant apply_activation_checkpointing assumed',
    notes: [/\(choose\) could not be read/],
  },
);

reads(
  'under an option that is off',
  `import argparse${gpt2}def shard(model, args):
    if args.checkpointing:
        apply_activation_checkpointing(model, check_fn=lambda module: isinstance(module, GPT2Block))
parser = argparse.ArgumentParser()
parser.add_argument("--checkpointing", action="store_true")
shard(model, parser.parse_args())
`,
  {
    checkpointing:
      'none 1 = apply_activation_checkpointing() on line 11 does not run: args.checkpointing with False @13:47',
  },
);

reads(
  'a function of the same name is not torch’s',
  `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
def apply_activation_checkpointing(model, check_fn):
    pass
apply_activation_checkpointing(model, check_fn=None)
`,
  { checkpointing: 'none 1 = no checkpoint call in this file' },
);

// Checks that count

const share = (given: string): string => `${gpt2}def selective(p):
    index, cut = 0, 1 / 2
    def check(module):
        nonlocal index, cut
        if isinstance(module, GPT2Block):
            index += 1
            if index * p >= cut:
                cut += 1
                return True
        return False
    return check
apply_activation_checkpointing(model, check_fn=selective(${given}))
`;

reads('a share of the layers that is one in so many', share('1 / 3'), {
  checkpointing: 'full 1 non-reentrant 3 apply_activation_checkpointing = 1 / 3 @19:58',
});

reads('a half', share('0.5'), {
  checkpointing: 'full 1 non-reentrant 2 apply_activation_checkpointing = a share of 0.5 @19:58',
});

reads('a share that is not one in so many', share('2 / 3'), {
  checkpointing:
    'full 1 non-reentrant 8 apply_activation_checkpointing = a share of 0.6666666666666666 of 12 layers @19:58',
});

reads('a share that is not known', share('args.share'), {
  checkpointing: 'full 1 non-reentrant apply_activation_checkpointing assumed',
  notes: [/could not be read/],
});

reads(
  'every so many layers, by a count',
  `${gpt2}every = 4
seen = 0
def check(module):
    global seen
    if isinstance(module, GPT2Block):
        seen += 1
        return seen % every == 0
    return False
apply_activation_checkpointing(model, check_fn=check)
`,
  { checkpointing: 'full 1 non-reentrant 4 apply_activation_checkpointing @8:9' },
);

// checkpoint_wrapper around each layer

reads(
  'each layer of a list',
  `${gpt2}for i, layer in enumerate(model.transformer.h):
    model.transformer.h[i] = checkpoint_wrapper(layer)
`,
  { checkpointing: 'full 1 non-reentrant checkpoint_wrapper @9:30' },
);

reads(
  'every second child',
  `${gpt2}for layer_id, layer in model.transformer.h.named_children():
    if int(layer_id) % 2 == 0:
        layer = checkpoint_wrapper(layer, checkpoint_impl=CheckpointImpl.REENTRANT, preserve_rng_state=False)
    model.transformer.h.register_module(layer_id, layer)
`,
  { checkpointing: 'full 1 reentrant 2 checkpoint_wrapper @9:24' },
);

reads(
  'when the layers are made',
  `${gpt2}layers = torch.nn.ModuleList([checkpoint_wrapper(GPT2Block(config)) for _ in range(12)])
`,
  { checkpointing: 'full 1 non-reentrant checkpoint_wrapper @8:31' },
);

reads(
  "fairscale's wrapper with its inputs on the host",
  `
from fairscale.nn import checkpoint_wrapper
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
def build_layer(config):
    layer = DecoderLayer(config)
    return checkpoint_wrapper(layer, offload_to_cpu=True)
`,
  { checkpointing: 'full 1 reentrant true checkpoint_wrapper @6:12' },
);

reads(
  'the composable form',
  `
from torch.distributed._composable import checkpoint
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
for layer in model.transformer.h:
    checkpoint(layer)
`,
  { checkpointing: 'full 1 non-reentrant composable checkpoint @5:5' },
);

// Policies

const policies = `
import functools
import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing, checkpoint_wrapper
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
aten = torch.ops.aten
`;

reads(
  'a list of operations that are saved',
  `${policies}saved = [aten.mm.default, aten.addmm.default, aten._scaled_dot_product_flash_attention.default]
contexts = functools.partial(create_selective_checkpoint_contexts, saved)
for block in model.transformer.h:
    x = checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
  { checkpointing: 'policy 1 non-reentrant checkpoint @11:62' },
);

reads(
  'a list that leaves attention out',
  `${policies}def contexts():
    return create_selective_checkpoint_contexts([torch.ops.aten.mm.default])
for block in model.transformer.h:
    x = checkpoint(block, x, use_reentrant=False, context_fn=contexts)
`,
  { checkpointing: 'policy 1 non-reentrant checkpoint = the policy saves matrix products @11:62' },
);

reads(
  'every second product, in the wrapper of each layer',
  `${policies}expensive = {aten.mm.default, aten._scaled_dot_product_efficient_attention.default}
def counting_policy():
    count = {"mm": 0}
    def policy(ctx, operation, *args, **kwargs):
        if operation == aten.mm.default:
            count["mm"] += 1
        saves = operation in expensive and not (operation == aten.mm.default and count["mm"] % 2 == 0)
        return CheckpointPolicy.MUST_SAVE if saves else CheckpointPolicy.PREFER_RECOMPUTE
    return policy
def contexts():
    return create_selective_checkpoint_contexts(counting_policy())
for name, block in model.transformer.h.named_children():
    block = checkpoint_wrapper(block, context_fn=contexts)
    model.transformer.h.register_module(name, block)
`,
  { checkpointing: 'policy-second 1 non-reentrant checkpoint_wrapper @20:50' },
);

reads(
  'a policy function in a wrapper that is applied',
  `${policies}def policy(ctx, operation, *args, **kwargs):
    if operation in (aten.mm.default, aten.bmm.default, aten._scaled_dot_product_flash_attention.default):
        return CheckpointPolicy.MUST_SAVE
    return CheckpointPolicy.PREFER_RECOMPUTE
wrapper = functools.partial(checkpoint_wrapper, context_fn=functools.partial(create_selective_checkpoint_contexts, policy))
apply_activation_checkpointing(model, checkpoint_wrapper_fn=wrapper, check_fn=lambda module: isinstance(module, Block))
`,
  { checkpointing: 'policy 1 non-reentrant apply_activation_checkpointing @12:60' },
);

reads(
  'a policy that names what runs again',
  `${policies}def policy(ctx, operation, *args, **kwargs):
    if operation in (aten.mm.default, aten.gelu.default):
        return CheckpointPolicy.MUST_RECOMPUTE
    return CheckpointPolicy.MUST_SAVE
for block in model.transformer.h:
    x = checkpoint(block, x, use_reentrant=False,
        context_fn=functools.partial(create_selective_checkpoint_contexts, policy))
`,
  {
    checkpointing: 'policy 1 non-reentrant checkpoint assumed',
    notes: [/what the policy of the checkpoint on line 14 saves/],
  },
);

reads(
  'no policy at all',
  `${policies}for block in model.transformer.h:
    x = checkpoint(block, x, use_reentrant=False, context_fn=torch.utils.checkpoint.noop_context_fn)
`,
  { checkpointing: 'full 1 non-reentrant checkpoint @9:9' },
);

// Libraries

const lightning = `
import lightning as L
from lightning.pytorch.strategies import FSDPStrategy
from transformers import AutoModelForCausalLM
from transformers.models.gpt2.modeling_gpt2 import GPT2Block, GPT2MLP
model = AutoModelForCausalLM.from_pretrained("gpt2")
`;

reads("Lightning's policy", `${lightning}strategy = FSDPStrategy(activation_checkpointing_policy={GPT2Block})\n`, {
  checkpointing: 'full 1 non-reentrant activation_checkpointing_policy @6:57',
});

reads("Lightning's older name", `${lightning}strategy = FSDPStrategy(activation_checkpointing=[GPT2Block])\n`, {
  checkpointing: 'full 1 non-reentrant activation_checkpointing @6:50',
});

reads(
  "Lightning's policy over a part",
  `${lightning}strategy = FSDPStrategy(activation_checkpointing_policy={GPT2MLP})\n`,
  { checkpointing: 'none 1 assumed', notes: [/only GPT2MLP/] },
);

reads(
  "accelerate's plugin",
  `
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
plugin = FullyShardedDataParallelPlugin(activation_checkpointing=True)
accelerator = Accelerator(fsdp_plugin=plugin)
`,
  { checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing @4:66' },
);

reads(
  "FSDP's switch of a trainer",
  `
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments("out", fsdp="full_shard", fsdp_config={"activation_checkpointing": True})
`,
  { checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing @3:93' },
);

reads(
  "FSDP's switch as a text, which is what it is in many files",
  `
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2")
options = {"transformer_layer_cls_to_wrap": ["GPT2Block"], "activation_checkpointing": "True"}
args = TrainingArguments("out", fsdp="full_shard", fsdp_config=options)
`,
  { checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing @3:88' },
);

const megatron = (given: string): string => `
import torch
from megatron.core.transformer import TransformerConfig
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2")
config = TransformerConfig(num_layers=12, hidden_size=768, num_attention_heads=12, ${given})
`;

reads(
  "Megatron's uniform method",
  megatron('recompute_granularity="full", recompute_method="uniform", recompute_num_layers=4'),
  {
    checkpointing: 'full 4 reentrant recompute_granularity @5:106',
  },
);

reads(
  "Megatron's block method",
  megatron('recompute_granularity="full", recompute_method="block", recompute_num_layers=6'),
  {
    checkpointing: 'full 1 reentrant 6 recompute_granularity @5:106',
  },
);

reads("Megatron's selective kind", megatron('recompute_granularity="selective"'), {
  checkpointing: 'selective 1 reentrant recompute_granularity @5:106',
});

reads(
  'more modules than the attention core',
  megatron('recompute_granularity="selective", recompute_modules=["core_attn", "mlp"]'),
  { checkpointing: 'selective 1 reentrant recompute_granularity assumed', notes: [/names more than core_attn/] },
);
