// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration files write their variables like that
import { tells } from './check.ts';

tells(
  'MPT with values kept in one place',
  {
    'mpt.yaml': `
variables:
  max_seq_len: 2048
max_seq_len: \${variables.max_seq_len}
model:
  name: mpt_causal_lm
  d_model: 768
  n_heads: 12
  n_layers: 12
  expansion_ratio: 4
  max_seq_len: \${variables.max_seq_len}
  vocab_size: 50368
  attn_config:
    attn_impl: flash
optimizer:
  name: decoupled_adamw
max_duration: 4800ba
device_train_microbatch_size: 16
precision: amp_bf16
fsdp_config:
  sharding_strategy: FULL_SHARD
  activation_checkpointing: true
  activation_checkpointing_reentrant: false
  activation_cpu_offload: true
`,
  },
  {
    title: 'mpt.yaml (Composer)',
    name: 'mpt_causal_lm @5:9',
    layers: '12 @8:13',
    hidden: '768 @6:12',
    feedForward: '3072 = 4 * d_model @9:20',
    maximumSequence: '2048 @2:16',
    sequence: '2048 @2:16',
    batch: '16 @17:31',
    dataType: 'bf16 @18:12',
    autocast: 'true @18:12',
    attention: 'flash @13:16',
    sharding: 'fsdp1 @20:22',
    checkpointing: 'full 1 non-reentrant fsdp activation_checkpointing true @21:29',
    optimizer: 'adamw @15:9',
  },
);
tells(
  'a model of the hub, with fewer layers',
  {
    'hf.yaml':
      'max_seq_len: 1024\nmodel:\n  name: hf_causal_lm\n  pretrained_model_name_or_path: meta-llama/Llama-2-7b-hf\n  config_overrides:\n    num_hidden_layers: 4\nmax_duration: 1ep\nprecision: amp_fp16\n',
  },
  {
    layers: '4 @6:24',
    hidden: '4096 of meta-llama/Llama-2-7b-hf @4:34',
    sequence: '1024 @1:14',
    dataType: 'fp16 @8:12',
    checkpointing: 'none 1 = nothing switches it on',
  },
);
tells(
  'OLMo',
  {
    'olmo.yaml':
      'model:\n  d_model: 512\n  n_heads: 8\n  n_layers: 8\n  mlp_ratio: 8\n  activation_type: swiglu\n  max_sequence_length: 4096\n  include_bias: false\ndevice_train_microbatch_size: 4\nprecision: amp_bf16\nactivation_checkpointing: one_in_two\nfsdp:\n  sharding_strategy: SHARD_GRAD_OP\n',
  },
  {
    feedForward: '2048 = 8 * d_model / 2 @5:14',
    activation: 'silu @6:20',
    bias: 'false @8:17',
    checkpointing: 'full 1 non-reentrant activation_checkpointing 2 @11:27',
    sharding: 'fsdp1 @13:22',
    reshardAfterForward: 'false @13:22',
  },
);
tells(
  'values in a circle, and one from the environment',
  {
    'x.yaml': `a: \${b}\nb: \${a}\nmax_seq_len: \${a}\nmodel:\n  name: mpt_causal_lm\nmax_duration: 1ep\nprecision: amp_bf16\ndevice_train_microbatch_size: \${oc.env:MICRO_BATCH,8}\n`,
  },
  {
    sequence: '2048 assumed',
    batch: '8 = 8, unless $MICRO_BATCH is set @8:31',
    notes: [/max_seq_len on line 3 of x\.yaml could not be read/],
  },
);
