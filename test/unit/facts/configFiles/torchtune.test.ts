import { tells } from './check.ts';

tells(
  'a LoRA recipe: the builder says model and adapters, chunked loss',
  {
    '8B_lora.yaml': `
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  max_seq_len: 8192
model:
  _component_: torchtune.models.llama3_1.lora_llama3_1_8b
  lora_attn_modules: ['q_proj', 'v_proj', 'output_proj']
  apply_lora_to_mlp: True
  lora_rank: 8
loss:
  _component_: torchtune.modules.loss.LinearCrossEntropyLoss
optimizer:
  _component_: torch.optim.AdamW
  lr: 3e-4
batch_size: 2
batch_size_val: \${batch_size}
dtype: bf16
enable_activation_checkpointing: True
enable_activation_offloading: True
`,
  },
  {
    title: '8B_lora.yaml (torchtune)',
    name: 'lora_llama3_1_8b @5:16',
    layers: '32 of meta-llama/Meta-Llama-3.1-8B @5:16',
    batch: '2 @14:13',
    sequence: '8192 @3:16',
    dataType: 'bf16 @16:8',
    autocast: 'false = torchtune makes the weights in bf16 @16:8',
    checkpointing: 'full 1 non-reentrant true enable_activation_checkpointing @17:34',
    optimizer: 'adamw @12:16',
    fused: 'chunked @10:16',
    adapters: '8 q_proj,v_proj,o_proj,gate_proj,up_proj,down_proj 0 bf16 @8:14',
  },
);

tells(
  'selective checkpointing of every second layer, on several devices',
  {
    'full.yaml': `
model:
  _component_: torchtune.models.qwen2_5.qwen2_5_7b
tokenizer: { _component_: torchtune.models.qwen2_5.qwen2_5_tokenizer, max_seq_len: null }
batch_size: 4
tensor_parallel_dim: 2
fsdp_cpu_offload: True
dtype: fp32
enable_activation_checkpointing: True
ac_mode: selective
ac_option: 2
`,
  },
  {
    layers: '28 of Qwen/Qwen2.5-7B @2:16',
    sequence: '1024 assumed',
    tensorParallel: '2 @5:22',
    offload: 'parameters-and-optimizer @6:19',
    checkpointing: 'full 1 non-reentrant 2 enable_activation_checkpointing @8:34',
  },
);

tells(
  'sizes that the file gives itself, and a quantised base',
  {
    'tiny.yaml': `
model:
  _component_: torchtune.models.llama2.llama2
  vocab_size: 32000
  num_layers: 4
  num_heads: 8
  num_kv_heads: 2
  embed_dim: 512
  max_seq_len: 1024
batch_size: 8
max_seq_len: 512
enable_activation_checkpointing: False
`,
  },
  {
    layers: '4 @4:15',
    hidden: '512 @7:14',
    heads: '8 @5:14',
    keyValueHeads: '2 @6:17',
    vocabulary: '32000 @3:15',
    maximumSequence: '1024 @8:16',
    sequence: '512 @10:14',
    checkpointing: 'none 1 @11:34',
  },
);

tells(
  'an unknown builder is named and nothing more',
  { 'x.yaml': 'model: { _component_: torchtune.models.qlora_brandnew_9b }\nbatch_size: 1\n' },
  { name: 'qlora_brandnew_9b @1:23', layers: undefined, quantisation: 'nf4 @1:23', batch: '1 @2:13' },
);
