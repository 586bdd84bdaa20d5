import { tells } from './check.ts';

tells(
  'ms-swift checkpoints and trains adapters unless told not to, and lets a model be called something',
  {
    'train.sh': `
NPROC_PER_NODE=4 \\
swift sft --model Qwen/Qwen2.5-7B-Instruct --torch_dtype bfloat16 --per_device_train_batch_size 1 --model_name robot
`,
  },
  {
    title: 'train.sh: swift sft',
    name: 'Qwen/Qwen2.5-7B-Instruct @2:19',
    batch: '1 @2:97',
    autocast: 'false @2:58',
    checkpointing: 'full 1 gradient_checkpointing default ms-swift gradient_checkpointing',
    adapters: '8 all-linear 0.05 fp32 default ms-swift tuner_type',
    dataParallel: '4 @1:16',
  },
);

tells(
  'adapters that are described, under one of its DeepSpeed configurations',
  {
    'train.sh':
      '\nswift rlhf --rlhf_type dpo --model Qwen/Qwen2.5-7B --tuner_type lora --lora_rank 16 --max_length 4096 --attn_impl flash_attn --deepspeed zero3_offload\n',
  },
  {
    sequence: '4096 @1:98',
    attention: 'flash @1:115',
    adapters: '16 all-linear 0.05 fp32 @1:82',
    sharding: 'zero-3 @1:138',
    offload: 'parameters-and-optimizer @1:138',
  },
);

tells(
  'all weights, and a policy whose sequence is prompt and completion',
  {
    'train.sh':
      '\nswift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B --train_type full --max_length 1024 --max_completion_length 2048\n',
  },
  { adapters: undefined, sequence: '3072 = prompt 1024 + completion 2048 @1:84' },
);

tells(
  'the same arguments in a file',
  {
    'sft.yaml': `
model: Qwen/Qwen2.5-7B-Instruct
torch_dtype: bfloat16
tuner_type: lora
lora_rank: 8
target_modules: all-linear
dataset:
  - 'alpaca#500'
max_length: 2048
per_device_train_batch_size: 2
deepspeed: zero2
`,
  },
  {
    title: 'sft.yaml (ms-swift)',
    batch: '2 @9:30',
    sequence: '2048 @8:13',
    dataType: 'bf16 @2:14',
    sharding: 'zero-2 @10:12',
    adapters: '8 all-linear 0.05 fp32 @4:12',
    checkpointing: 'full 1 gradient_checkpointing default ms-swift gradient_checkpointing',
  },
);

tells(
  'over Megatron, with a model by its id',
  {
    'train.sh': `
NPROC_PER_NODE=8 megatron sft --model Qwen/Qwen2.5-7B --micro_batch_size 4 --max_length 2048 \\
  --tensor_model_parallel_size 2 --recompute_granularity full --recompute_method uniform --recompute_num_layers 1
`,
  },
  {
    title: 'train.sh: megatron sft',
    name: 'Qwen/Qwen2.5-7B @1:39',
    batch: '4 @1:74',
    sequence: '2048 @1:89',
    tensorParallel: '2 @2:32',
    dataParallel: '4 = 8 processes / 2 @1:16',
    checkpointing: 'full reentrant recompute_granularity 1 @2:58',
    sharding: 'megatron-distributed-optimizer default ms-swift use_distributed_optimizer',
    adapters: undefined,
  },
);
