import { tells } from './check.ts';

tells(
  'FSDP with its own checkpointing, words for booleans',
  {
    'fsdp.yaml': `
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 8
fsdp_config:
  fsdp_activation_checkpointing: 'True'
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_offload_params: "true"
  fsdp_sharding_strategy: FULL_SHARD
`,
  },
  {
    title: 'fsdp.yaml (Accelerate)',
    dataType: 'bf16 @3:18',
    dataParallel: '8 @4:16',
    sharding: 'fsdp1 @9:27',
    offload: 'parameters-and-optimizer @8:24',
    checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing @6:34',
  },
);

tells(
  'strategies by number, pieces of a model across processes',
  {
    'a.yaml': `
distributed_type: FSDP
num_processes: 8
mixed_precision: 'no'
fsdp_config:
  fsdp_sharding_strategy: 2
parallelism_config:
  parallelism_config_tp_size: 4
`,
  },
  {
    sharding: 'fsdp1 @5:27',
    reshardAfterForward: 'false @5:27',
    tensorParallel: '4 @7:31',
    dataParallel: '2 = 8 processes / 4 @2:16',
    dataType: 'fp32 @3:18',
  },
);

tells(
  'FSDP 2 that keeps parameters whole after the forward pass',
  {
    'a.yaml':
      'distributed_type: FSDP\nnum_processes: 2\nfsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: false\n',
  },
  { sharding: 'fsdp2 @5:31', reshardAfterForward: 'false @5:31' },
);

tells(
  'DeepSpeed in place',
  {
    'a.yaml':
      'distributed_type: DEEPSPEED\nnum_processes: 4\nmixed_precision: fp16\ndeepspeed_config:\n  zero_stage: 3\n  offload_optimizer_device: cpu\n  offload_param_device: none\n  gradient_accumulation_steps: 2\n',
  },
  { sharding: 'zero-3 @5:15', offload: 'optimizer @6:29', gradientAccumulation: '2 @8:32', dataType: 'fp16 @3:18' },
);

tells(
  'DeepSpeed in a file',
  {
    'conf/a.yaml':
      'distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n  deepspeed_config_file: ../ds/zero1.json\n',
    'ds/zero1.json': '{"zero_optimization": {"stage": 1}, "fp16": {"enabled": true}}',
  },
  { sharding: 'zero-1 @1:33 in ds/zero1.json', dataType: 'fp16 @1:57 in ds/zero1.json' },
);

tells(
  'a file that is named and is not there',
  {
    'a.yaml': 'distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n  deepspeed_config_file: gone.json\n',
  },
  { sharding: undefined, notes: [/gone\.json was not found/] },
);

tells(
  'Megatron’s plugin',
  {
    'a.yaml':
      'distributed_type: MEGATRON_LM\nnum_processes: 8\nmegatron_lm_config:\n  megatron_lm_tp_degree: 2\n  megatron_lm_pp_degree: 2\n  megatron_lm_recompute_activations: true\n',
  },
  {
    tensorParallel: '2 @4:26',
    pipelineParallel: '2 @5:26',
    dataParallel: '2 = 8 processes / 4 @2:16',
    checkpointing: 'selective 1 recompute_activations @6:38',
  },
);

tells(
  'the JSON that transformers takes for FSDP',
  {
    'fsdp.json':
      '{"transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"], "activation_checkpointing": "True", "version": 2}',
  },
  {
    title: 'fsdp.json (FSDP)',
    sharding: 'fsdp2 @1:105',
    checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing @1:86',
  },
);

tells(
  'that JSON through a launch line',
  {
    'run.sh':
      'torchrun --nproc_per_node 2 train.py --model_name_or_path gpt2 --per_device_train_batch_size 2 --fsdp full_shard --fsdp_config fsdp.json\n',
    'fsdp.json': '{"transformer_layer_cls_to_wrap": ["GPT2Block"], "activation_checkpointing": "false"}',
  },
  { sharding: 'fsdp1 @1:103', checkpointing: 'none 1 = nothing switches it on' },
);

tells(
  'accelerate launch reads its file before the program is read',
  {
    'run.sh':
      'accelerate launch --config_file conf/multi.yaml train.py --model_name_or_path gpt2 --per_device_train_batch_size 4\n',
    'conf/multi.yaml': 'distributed_type: MULTI_GPU\nnum_processes: 2\nmixed_precision: bf16\n',
  },
  {
    sharding: 'ddp @1:19 in conf/multi.yaml',
    dataParallel: '2 @2:16 in conf/multi.yaml',
    dataType: 'bf16 @3:18 in conf/multi.yaml',
  },
);

tells(
  'a default configuration beside a script',
  {
    'train.py':
      "from accelerate import Accelerator\nfrom transformers import AutoModelForCausalLM\naccelerator = Accelerator()\nmodel = AutoModelForCausalLM.from_pretrained('gpt2')\naccelerator.backward(model(x).loss)\n",
    'default_config.yaml': 'distributed_type: MULTI_GPU\nnum_processes: 2\nmixed_precision: fp16\n',
  },
  {
    run: 2,
    title: 'train.py with default_config.yaml',
    layers: '12 of openai-community/gpt2 @4:46',
    dataParallel: '2 @2:16 in default_config.yaml',
  },
);

tells(
  'a sequence that DeepSpeed spreads over ranks',
  {
    'sp.yaml': `
distributed_type: DEEPSPEED
num_processes: 4
parallelism_config:
  parallelism_config_cp_size: 1
  parallelism_config_sp_size: 2
`,
  },
  { contextParallel: '2 @5:31', dataParallel: '2 = 4 processes / 2 @2:16' },
);
