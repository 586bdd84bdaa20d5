import { tells } from './check.ts';

tells(
  'TOML with a policy, tensor parallelism and shards over all ranks left',
  {
    'llama3_8b.toml': `
[job]
description = "Llama 3 8B"

[model]
name = "llama3"
flavor = "8B"

[optimizer]
name = "AdamW"

[training]
local_batch_size = 1
seq_len = 8192

[parallelism]
data_parallel_shard_degree = -1
tensor_parallel_degree = 4

[activation_checkpoint]
mode = "selective"
selective_ac_option = "op"
`,
  },
  {
    title: 'llama3_8b.toml (torchtitan)',
    name: 'llama3 8B @6:10',
    layers: '32 of meta-llama/Meta-Llama-3-8B @6:10',
    batch: '1 @12:20',
    sequence: '8192 @13:11',
    tensorParallel: '4 @17:26',
    sharding: 'fsdp2 @16:30',
    dataParallel: undefined,
    checkpointing: 'policy-second 1 non-reentrant checkpoint_wrapper @20:8',
    optimizer: 'adamw @9:8',
  },
);

const training = (mode: string) =>
  `[model]\nname = "llama3"\nflavor = "70B"\n[training]\nbatch_size = 2\nseq_len = 4096\n[activation_checkpoint]\n${mode}\n`;

tells(
  'every second layer',
  { 'a.toml': training('mode = "selective"\nselective_ac_option = "2"') },
  {
    batch: '2 @5:14',
    checkpointing: 'full 1 non-reentrant checkpoint_wrapper 2 @8:8',
  },
);
tells(
  'all layers',
  { 'a.toml': training('mode = "full"') },
  { checkpointing: 'full 1 non-reentrant checkpoint_wrapper @8:8' },
);
tells('none', { 'a.toml': training('mode = "none"') }, { checkpointing: 'none 1 @8:8' });
tells(
  'a mode without an account is told',
  { 'a.toml': training('mode = "memory_budget"') },
  {
    notes: [/mode memory_budget has no account/],
  },
);

const registry = `
from torchtitan.trainer import Trainer
from torchtitan.config import ParallelismConfig, TrainingConfig
from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC
from . import model_registry


def llama3_8b() -> Trainer.Config:
    model_spec = model_registry("8B")
    return Trainer.Config(
        model_spec=model_spec,
        training=TrainingConfig(local_batch_size=1, seq_len=8192),
        activation_checkpoint=SelectiveAC.Config(),
    )


def llama3_70b() -> Trainer.Config:
    return Trainer.Config(
        model_spec=model_registry("70B"),
        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=8 * 2048, max_context_length=2048),
        parallelism=ParallelismConfig(tensor_parallel_degree=8),
        activation_checkpoint=FullAC.Config(),
    )


def changed() -> Trainer.Config:
    config = llama3_8b()
    config.training.seq_len = 64
    return config
`;

tells(
  'a Python registry, one run a function',
  { 'llama3/config_registry.py': registry },
  {
    run: 1,
    title: 'config_registry.py: llama3_8b',
    name: 'llama3 8B @8:33',
    layers: '32 of meta-llama/Meta-Llama-3-8B @8:33',
    batch: '1 @11:50',
    sequence: '8192 @11:61',
    checkpointing: 'policy-second 1 non-reentrant checkpoint_wrapper @12:31',
  },
);
tells(
  'tokens of a micro-batch instead of sequences',
  { 'llama3/config_registry.py': registry },
  {
    run: 2,
    layers: '80 of meta-llama/Meta-Llama-3-70B @18:35',
    batch: '8 = 16384 tokens / 2048 @19:71',
    sequence: '2048 @19:100',
    tensorParallel: '8 @20:62',
    checkpointing: 'full 1 non-reentrant checkpoint_wrapper @21:31',
  },
);
tells(
  'the older class for checkpointing',
  {
    'qwen3/config_registry.py': `
def qwen3_8b():
    return Trainer.Config(
        model_spec=model_registry("8B"),
        training=TrainingConfig(local_batch_size=2, seq_len=4096),
        activation_checkpoint=ActivationCheckpointConfig(mode="full"),
    )
`,
  },
  {
    layers: '36 of Qwen/Qwen3-8B @3:35',
    batch: '2 @4:50',
    checkpointing: 'full 1 non-reentrant checkpoint_wrapper @5:63',
  },
);

tells(
  'shards are fp32 and gradients travel in fp32, whatever is computed in',
  { 'a.toml': training('mode = "none"') },
  {
    dataType: 'bf16 default torchtitan training.mixed_precision_param',
    shardType: 'fp32 default torchtitan training.dtype',
    reduceType: 'fp32 default torchtitan training.mixed_precision_reduce',
    sharding: 'fsdp2 default torchtitan parallelism.data_parallel_shard_degree',
    optimizerImplementation: 'fused default torchtitan optimizer.implementation',
  },
);
tells(
  'weights in bf16, and an optimizer that goes through them one by one',
  {
    'a.toml':
      '[model]\nname = "llama3"\nflavor = "8B"\n[optimizer]\nimplementation = "for-loop"\n[training]\ndtype = "bfloat16"\nseq_len = 4096\n[job]\ndescription = "x"\n',
  },
  { shardType: 'bf16 @7:9', optimizerImplementation: 'for-loop @5:18' },
);
tells(
  'on a single GPU nothing is sharded, and autocast casts',
  { 'a.toml': `${training('mode = "none"')}[parallelism]\ndata_parallel_shard_degree = 1\n` },
  { sharding: undefined, autocast: 'true = autocast casts the weights on a single GPU' },
);
