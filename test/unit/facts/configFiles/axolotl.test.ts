import { tells } from './check.ts';

tells(
  'a QLoRA run on packed sequences',
  {
    'qlora.yml': `
base_model: meta-llama/Meta-Llama-3-8B
load_in_4bit: true
adapter: qlora
lora_r: 32
lora_dropout: 0.05
lora_target_linear: true
datasets:
  - path: data/chat.jsonl
    type: chat_template
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 4
optimizer: paged_adamw_8bit
bf16: auto
flash_attention: true
gradient_checkpointing: true
gradient_checkpointing_kwargs:
  use_reentrant: false
`,
  },
  {
    title: 'qlora.yml (axolotl)',
    name: 'meta-llama/Meta-Llama-3-8B @1:13',
    layers: '32 of meta-llama/Meta-Llama-3-8B @1:13',
    batch: '2 @12:19',
    sequence: '4096 @10:15',
    gradientAccumulation: '4 @13:30',
    dataType: 'bf16 = auto, on a GPU with bf16 @15:7',
    autocast: 'false = axolotl loads the weights in bf16 @15:7',
    attention: 'flash @16:18',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing @17:25',
    optimizer: 'paged-adamw-8bit @14:12',
    quantisation: 'nf4 @2:15',
    adapters: '32 all-linear 0.05 fp32 = rank 32, target layers by default @4:9',
  },
);

tells(
  'a full fine-tuning with FSDP, whose own checkpointing is on, and regions kept in host memory',
  {
    'full.yaml': `
base_model: Qwen/Qwen2.5-7B
datasets: []
micro_batch_size: 1
sequence_len: 8192
bf16: true
sdp_attention: true
gradient_checkpointing: offload
fsdp_version: 2
fsdp_config:
  offload_params: false
  reshard_after_forward: true
`,
  },
  {
    layers: '28 of Qwen/Qwen2.5-7B @1:13',
    sequence: '8192 @4:15',
    attention: 'sdpa @6:16',
    checkpointing: 'full 1 true gradient_checkpointing @7:25',
    sharding: 'fsdp2 @11:26',
  },
);

tells(
  'what is left out is the library’s, and a model it does not know is only named',
  { 'lora.yml': 'base_model: ./my-model\nadapter: lora\nmicro_batch_size: 4\ngradient_checkpointing: false\n' },
  {
    name: './my-model @1:13',
    layers: undefined,
    batch: '4 @3:19',
    sequence: '512 default axolotl sequence_len',
    checkpointing: 'none 1 @4:25',
    adapters: '8 all-linear 0 fp32 = rank 8, target layers by default @2:10',
    notes: [/sizes of \.\/my-model are not in the registry/],
  },
);

tells(
  'a DeepSpeed file beside it is read, too',
  {
    'conf/full.yml':
      'base_model: Qwen/Qwen2-1.5B\nmicro_batch_size: 1\nsequence_len: 2048\nbf16: true\ndeepspeed: deepspeed/zero3.json\n',
    'deepspeed/zero3.json':
      '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": "auto"}, "train_micro_batch_size_per_gpu": "auto"}',
  },
  {
    batch: '1 @2:19',
    sharding: 'zero-3 @1:33 in deepspeed/zero3.json',
    autocast: 'false = DeepSpeed turns the weights into bf16 @4:7',
  },
);

tells(
  'layers of adapters as a pattern, 1',
  {
    'a.yml':
      "base_model: gpt2\nadapter: lora\nmicro_batch_size: 1\nlora_r: 16\nlora_target_modules: 'model.language_model.layers.[\\d]+.(mlp|self_attn).(up|down|q)_proj'\n",
  },
  { adapters: '16 up_proj,down_proj,q_proj 0 fp32 @4:9' },
);

tells(
  'layers of adapters as a pattern, 2',
  {
    'a.yml':
      "base_model: gpt2\nadapter: lora\nmicro_batch_size: 1\nlora_r: 16\nlora_target_modules: 'model.layers.[\\d]+.self_attn.(q_proj|v_proj)'\n",
  },
  { adapters: '16 q_proj,v_proj 0 fp32 @4:9' },
);

tells(
  'layers of adapters as a pattern, 3',
  {
    'a.yml':
      "base_model: gpt2\nadapter: lora\nmicro_batch_size: 1\nlora_r: 16\nlora_target_modules: 'model.layers.[\\d]+.(?!mlp).*'\n",
  },
  { adapters: '16 all-linear 0 fp32 assumed' },
);
