import { tells } from './check.ts';

tells(
  'litgpt, whose checkpoint lies in a folder of the model’s name, with adapters on one device',
  {
    'lora.yaml': `
checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf
precision: bf16-true
quantize: bnb.nf4
devices: 1
lora_r: 32
lora_dropout: 0.1
lora_key: true
lora_value: false
train:
  micro_batch_size: 2
  max_seq_length: 512
optimizer:
  class_path: torch.optim.AdamW
`,
  },
  {
    title: 'lora.yaml (litgpt)',
    layers: '32 of meta-llama/Llama-2-7b-hf @1:17',
    batch: '2 @10:21',
    sequence: '512 @11:19',
    dataType: 'bf16 @2:12',
    autocast: 'false @2:12',
    adapters: '32 q_proj,k_proj 0.1 bf16 @5:9',
    quantisation: 'nf4 @3:11',
    optimizer: 'adamw @13:15',
    checkpointing: 'none 1 = litgpt on one device @4:10',
  },
);
tells(
  'litgpt on several devices shards and checkpoints what it tunes',
  {
    'full.yaml': `
checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf
precision: bf16-mixed
devices: 4
train:
  micro_batch_size: 1
`,
  },
  {
    autocast: 'true @2:12',
    dataParallel: '4 @3:10',
    sharding: 'fsdp1 = litgpt on several devices @3:10',
    checkpointing: 'full 1 non-reentrant activation_checkpointing_policy = litgpt on several devices @3:10',
  },
);

tells(
  'nanotron with a Llama in transformers’ names',
  {
    'config.yaml': `
model:
  dtype: bfloat16
  model_config:
    is_llama_config: true
    hidden_size: 576
    num_hidden_layers: 30
    num_attention_heads: 9
    num_key_value_heads: 3
    intermediate_size: 1536
    vocab_size: 49152
    max_position_embeddings: 2048
optimizer:
  zero_stage: 1
  optimizer_factory:
    name: adamW
parallelism:
  dp: 2
  tp: 4
  pp: 1
  recompute_layer: true
tokens:
  micro_batch_size: 3
  sequence_length: 256
  batch_accumulation_per_replica: 5
`,
  },
  {
    title: 'config.yaml (nanotron)',
    layers: '30 @6:24',
    feedForward: '1536 @9:24',
    batch: '3 @22:21',
    sequence: '256 @23:20',
    gradientAccumulation: '5 @24:35',
    dataType: 'bf16 @2:10',
    autocast: 'false = nanotron makes the weights in bf16 @2:10',
    checkpointing: 'full 1 recompute_layer @20:20',
    sharding: 'zero-1 @13:15',
    dataParallel: '2 @17:7',
    tensorParallel: '4 @18:7',
  },
);

tells(
  'lingua',
  {
    'llama.yaml': `
distributed:
  fsdp_type: full_shard
  model_dtype: bf16
  selective_activation_checkpointing: true
  tp_size: 2
model:
  dim: 2048
  n_layers: 25
  n_heads: 16
data:
  batch_size: 4
  seq_len: 4096
`,
  },
  {
    title: 'llama.yaml (lingua)',
    layers: '25 @8:13',
    feedForward: '5632 = 2/3 * 4 * dim in multiples of 256 @7:8',
    batch: '4 @11:15',
    sequence: '4096 @12:12',
    dataType: 'bf16 @3:16',
    sharding: 'fsdp2 @2:14',
    checkpointing: 'policy 1 non-reentrant selective_activation_checkpointing @4:39',
    tensorParallel: '2 @5:12',
    vocabulary: '128256 assumed',
  },
);

tells(
  'NeMo, whose weights are in the type under O2',
  {
    'megatron_gpt.yaml': `
trainer:
  devices: 8
  num_nodes: 2
  precision: bf16
model:
  micro_batch_size: 4
  tensor_model_parallel_size: 2
  encoder_seq_length: 512
  max_position_embeddings: \${.encoder_seq_length}
  num_layers: 12
  hidden_size: 768
  ffn_hidden_size: 2048
  num_attention_heads: 12
  activation: fast-swiglu
  normalization: rmsnorm
  share_embeddings_and_output_weights: false
  bias: false
  megatron_amp_O2: true
  activations_checkpoint_granularity: full
  activations_checkpoint_method: uniform
  activations_checkpoint_num_layers: 2
  optim:
    name: distributed_fused_adam
`,
  },
  {
    title: 'megatron_gpt.yaml (NeMo)',
    family: 'llama = gated MLP and RMSNorm @14:15',
    layers: '12 @10:15',
    feedForward: '2048 @12:20',
    tiedEmbeddings: 'false @16:40',
    maximumSequence: '512 @8:23',
    batch: '4 @6:21',
    sequence: '512 @8:23',
    dataType: 'bf16 @4:14',
    autocast: 'false = megatron_amp_O2 makes the weights bf16 @18:20',
    checkpointing: 'full reentrant recompute_granularity 2 @19:39',
    tensorParallel: '2 @7:31',
    dataParallel: '8 = 16 processes / 2 @2:12',
    sharding: 'megatron-distributed-optimizer @23:11',
  },
);
tells(
  'NeMo’s settings on a command line, and a model of speech',
  {
    'run.sh': `
python megatron_gpt_finetuning.py trainer.devices=4 trainer.precision=bf16-mixed model.micro_batch_size=1 \\
  model.data.train_ds.max_seq_length=2048 model.restore_from_path=llama.nemo
`,
  },
  {
    batch: '1 @1:105',
    sequence: '2048 @2:38',
    autocast: 'true @1:71',
    dataParallel: '4 @1:51',
    name: 'llama.nemo @2:67',
  },
);
tells(
  'NeMo’s settings of a model of speech',
  {
    'asr.yaml': '\nmodel:\n  train_ds:\n    batch_size: 16\ntrainer:\n  precision: 32\n  accumulate_grad_batches: 2\n',
  },
  { batch: '16 @3:17', dataType: 'fp32 @5:14', gradientAccumulation: '2 @6:28' },
);

tells(
  'GPT-NeoX, which checkpoints by its own switch among DeepSpeed’s keys',
  {
    'pythia.yml': `
{
  "pipe-parallel-size": 1,
  "model-parallel-size": 2,
  "num-layers": 12,
  "hidden-size": 768,
  "num-attention-heads": 12,
  "seq-length": 2048,
  "max-position-embeddings": 2048,
  "pos-emb": "rotary",
  "gpt_j_residual": true,
  "attention_config": [[["flash"], 12]],
  "optimizer": { "type": "Adam" },
  "zero_optimization": { "stage": 1 },
  "train_micro_batch_size_per_gpu": 32,
  "checkpoint-activations": true,
  "checkpoint-num-layers": 1,
  "fp16": { "enabled": true },
}
`,
  },
  {
    title: 'pythia.yml (GPT-NeoX)',
    family: 'gpt-neox = rotary positions and a parallel residual @10:21',
    batch: '32 @14:37',
    sequence: '2048 @7:17',
    dataType: 'fp16 @17:24',
    attention: 'flash @11:23',
    checkpointing: 'full 1 reentrant checkpoint_activations @15:29',
    sharding: 'zero-1 @13:35',
    tensorParallel: '2 @3:26',
  },
);
tells(
  'a gated GPT-NeoX has a third of the size that is given',
  {
    'llama.yml': `
pipe_parallel_size: 1
model_parallel_size: 1
num_layers: 32
hidden_size: 4096
intermediate_size: 32768
num_attention_heads: 32
seq_length: 2048
norm: rmsnorm
activation: swiglu
no_weight_tying: true
precision: bfloat16
`,
  },
  {
    family: 'llama = gated MLP and RMSNorm @9:13',
    feedForward: '11008 = intermediate_size / 3 in multiples of 256 @5:20',
    tiedEmbeddings: 'false @10:18',
    dataType: 'bf16 @11:12',
  },
);

tells(
  'fairseq2, whose batch is counted in tokens',
  {
    'sft.yaml': `
model:
  arch: llama3_2_1b
  config_overrides:
    num_layers: 4
dataset:
  max_seq_len: 4096
  max_num_tokens: 16384
tokenizer:
  name: llama3
trainer:
  data_parallelism: fsdp
  fsdp:
    version: v2
  mixed_precision:
    dtype: bfloat16
  activation_checkpointing:
    mode: layerwise
    every_nth_layer: 2
regime:
  num_steps: 10
`,
  },
  {
    title: 'sft.yaml (fairseq2)',
    layers: '4 @4:17',
    hidden: '2048 of meta-llama/Llama-3.2-1B @2:9',
    batch: '4 = 16384 tokens / 4096 @7:19',
    sequence: '4096 @6:16',
    dataType: 'bf16 @15:12',
    checkpointing: 'full 1 2 activation_checkpointing @17:11',
    sharding: 'fsdp2 @11:21',
  },
);

tells(
  'OpenRLHF, started as a module whose flags come from a here-document',
  {
    'train_sft.sh': `
read -r -d '' training_commands <<EOF
openrlhf.cli.train_sft \\
   --data.max_len 2048 \\
   --train.micro_batch_size 2 \\
   --model.model_name_or_path meta-llama/Meta-Llama-3-8B \\
   --ds.zero_stage 3 \\
   --ds.param_dtype bf16 \\
   --ds.attn_implementation flash_attention_2 \\
   --ds.lora.rank 16 \\
   --ds.adam_offload \\
   --model.gradient_checkpointing_enable
EOF
deepspeed --module $training_commands
`,
  },
  {
    title: 'train_sft.sh: openrlhf.cli.train_sft',
    layers: '32 of meta-llama/Meta-Llama-3-8B @5:31',
    batch: '2 @4:29',
    sequence: '2048 @3:19',
    dataType: 'bf16 @7:21',
    autocast: 'false = DeepSpeed turns the weights into bf16 @7:21',
    attention: 'flash @8:29',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing_enable @11:4',
    sharding: 'zero-3 @6:20',
    offload: 'optimizer @10:4',
    adapters: '16 all-linear 0 fp32 @9:19',
  },
);
tells(
  'OpenRLHF’s actor under Ray, in its older flags',
  {
    'ppo.sh': `
ray job submit -- python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 2 --actor_num_gpus_per_node 4 \\
  --pretrain meta-llama/Meta-Llama-3-8B --micro_train_batch_size 8 --prompt_max_len 1024 --generate_max_len 512 \\
  --zero_stage 2 --bf16 --flash_attn --gradient_checkpointing --gradient_checkpointing_use_reentrant
`,
  },
  {
    batch: '8 @2:66',
    sequence: '1536 = prompt 1024 + response 512 @2:85',
    dataType: 'bf16 @3:18',
    attention: 'flash @3:25',
    checkpointing: 'full 1 reentrant gradient_checkpointing_enable @3:38',
    dataParallel: '8 = 4 * 2 processes @1:103',
    sharding: 'zero-2 @3:16',
  },
);

tells(
  'Megatron’s layers that follow a pattern have no sizes here, and experts are no dense model',
  {
    'run.sh':
      '\ntorchrun pretrain.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --micro-batch-size 1 --hybrid-layer-pattern "M*M*"\n',
  },
  { layers: undefined, batch: '1 @1:98', notes: [/follow a pattern/] },
);
tells(
  'Megatron’s experts are no dense model',
  {
    'run.sh':
      '\ntorchrun pretrain.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --num-experts 8 --swiglu --normalization RMSNorm\n',
  },
  { family: 'megatron = a mixture that no family has @1:95' },
);

tells(
  'a lingua model of another kind is no Llama',
  {
    'mamba.yaml': `
distributed:
  fsdp_type: full_shard
model:
  dim: 2048
  n_layers: 50
  n_heads: 32
  state_dim: 128
data:
  batch_size: 4
  seq_len: 4096
`,
  },
  { layers: undefined, batch: '4 @9:15', notes: [/with state_dim/] },
);
