import { tells } from './check.ts';

const sft = `
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 16
lora_target: q_proj,v_proj
cutoff_len: 4096
per_device_train_batch_size: 2
gradient_accumulation_steps: 8
bf16: true
flash_attn: fa2
`;

tells(
  'LoRA, which is checkpointed although nothing says so',
  { 'sft.yaml': sft },
  {
    title: 'sft.yaml (LLaMA-Factory)',
    layers: '28 of Qwen/Qwen2.5-7B @1:21',
    batch: '2 @8:30',
    sequence: '4096 @7:13',
    dataType: 'bf16 @10:7',
    autocast: 'false @10:7',
    attention: 'flash @11:13',
    checkpointing:
      'full 1 reentrant gradient_checkpointing_enable default LLaMA-Factory disable_gradient_checkpointing',
    adapters: '16 q_proj,v_proj 0 fp32 @5:12',
    gradientAccumulation: '8 @9:30',
  },
);

tells(
  'full fine-tuning with checkpointing switched off, a quantised base and fused kernels',
  {
    'full.yaml': `
model_name_or_path: meta-llama/Llama-2-7b-hf
stage: pt
finetuning_type: full
quantization_bit: 4
per_device_train_batch_size: 1
disable_gradient_checkpointing: true
enable_liger_kernel: true
fp16: true
optim: adamw_8bit
`,
  },
  {
    checkpointing: 'none 1 @6:33',
    quantisation: 'nf4 @4:19',
    dataType: 'fp16 @8:7',
    autocast: 'true @8:7',
    sequence: '2048 default LLaMA-Factory cutoff_len',
    optimizer: 'adamw-8bit @9:8',
    fused: 'true true fused @7:22',
    adapters: undefined,
  },
);

tells(
  'the same settings as flags of its command, over a file',
  {
    'train.sh': 'llamafactory-cli train conf/sft.yaml per_device_train_batch_size=4 use_unsloth_gc=true\n',
    'conf/sft.yaml': sft,
  },
  {
    title: 'train.sh: llamafactory-cli train',
    batch: '4 @1:66',
    sequence: '4096 @7:13 in conf/sft.yaml',
    checkpointing:
      'full 1 reentrant true gradient_checkpointing_enable default LLaMA-Factory disable_gradient_checkpointing',
    lost: { batch: [2] },
  },
);

tells(
  'under FSDP2 of an Accelerate file the other variant',
  {
    'train.sh': 'accelerate launch --config_file fsdp2.yaml src/train.py conf/sft.yaml\n',
    'conf/sft.yaml': sft,
    'fsdp2.yaml': 'distributed_type: FSDP\nnum_processes: 4\nmixed_precision: bf16\nfsdp_config:\n  fsdp_version: 2\n',
  },
  {
    sharding: 'fsdp2 @5:17 in fsdp2.yaml',
    dataParallel: '4 @2:16 in fsdp2.yaml',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing_enable = FSDP2 @5:17 in fsdp2.yaml',
  },
);

tells(
  'the rewritten trainer’s settings',
  {
    'v1.yaml': `
model: Qwen/Qwen3-0.6B
model_class: llm
peft_config:
  name: lora
  r: 16
  target_modules: all
dist_config:
  name: fsdp2
micro_batch_size: 2
cutoff_len: 1024
enable_activation_checkpointing: false
`,
  },
  {
    layers: '28 of Qwen/Qwen3-0.6B @1:8',
    batch: '2 @9:19',
    sequence: '1024 @10:13',
    sharding: 'fsdp2 @8:9',
    checkpointing: 'none 1 @11:34',
    adapters: '16 all-linear 0.05 fp32 @5:6',
    dataType: 'bf16 default LLaMA-Factory 1 bf16',
  },
);
