// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration files write their variables like that
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsOf, tells } from './check.ts';

tells(
  'YAML anchors and merges',
  {
    'a.yml':
      'base: &base\n  micro_batch_size: 8\nbase_model: gpt2\n<<: *base\nsequence_len: &len 512\nadapter: lora\nlora_r: *len\n',
  },
  { batch: '8 @2:21', sequence: '512 @5:20' },
);
tells(
  'half-written YAML',
  { 'a.yml': 'base_model: gpt2\nmicro_batch_size: 4\nadapter: lora\ngradient_checkpointing: [\n' },
  { batch: '4 @2:19' },
);
tells(
  'words for booleans that are none',
  { 'a.yml': 'base_model: gpt2\nmicro_batch_size: 2\nadapter: lora\ngradient_checkpointing: perhaps\nbf16: "True"\n' },
  {
    dataType: 'bf16 @5:7',
    notes: [/gradient_checkpointing on line 4 of a\.yml is "perhaps"/],
  },
);
tells(
  'null values say nothing',
  { 'a.yml': 'base_model: gpt2\nmicro_batch_size:\nadapter:\nsequence_len: null\n' },
  {
    batch: '1 default axolotl micro_batch_size',
    adapters: undefined,
  },
);
tells(
  'a placeholder of the environment',
  { 'a.yml': `base_model: \${MODEL}\nmicro_batch_size: \${BATCH}\nadapter: lora\n` },
  {
    batch: '1 assumed',
    notes: [/base_model on line 1/, /micro_batch_size on line 2/],
  },
);
tells(
  'files that name each other',
  {
    'a.yaml': 'distributed_type: DEEPSPEED\nnum_processes: 2\ndeepspeed_config:\n  deepspeed_config_file: b.yaml\n',
    'b.yaml':
      'distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n  deepspeed_config_file: a.yaml\n  zero_stage: 2\n',
  },
  { dataParallel: '2 @2:16', sharding: 'zero-2 @5:15 in b.yaml' },
);
tells('an empty file', { 'a.yaml': '' }, 'nothing');
tells('somebody else’s settings', { 'ci.yaml': 'on: push\njobs:\n  build:\n    steps: []\n' }, 'nothing');
tells(
  'a model’s own configuration',
  {
    'config.json':
      '{"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "architectures": ["LlamaForCausalLM"], "torch_dtype": "bfloat16"}',
  },
  {
    title: 'config.json (model configuration)',
    hidden: '512 @1:40',
    layers: '4 @1:66',
    keyValueHeads: '8 = num_attention_heads',
  },
);
tells(
  'arguments of a trainer as YAML',
  {
    'sft.yaml':
      'model_name_or_path: Qwen/Qwen2-0.5B\nper_device_train_batch_size: 2\ngradient_checkpointing: true\ngradient_checkpointing_kwargs: {use_reentrant: false}\nmax_length: 2048\nbf16: true\nattn_implementation: flash_attention_2\n',
  },
  {
    layers: '24 of Qwen/Qwen2-0.5B @1:21',
    batch: '2 @2:30',
    sequence: '2048 @5:13',
    attention: 'flash @7:22',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing @3:25',
  },
);

test('hostile texts end soon and say nothing wrong', () => {
  const bomb = Array.from(
    { length: 20 },
    (_, level) => `a${level}: &a${level} [${`*a${level - 1},`.repeat(level === 0 ? 0 : 9)}1]`,
  ).join('\n');
  const texts = {
    'bomb.yaml': `base_model: gpt2\nmicro_batch_size: 2\nadapter: lora\n${bomb}\n`,
    'deep.json': `{"zero_optimization": ${'['.repeat(40_000)}`,
    'large.json': `{"zero_optimization": {"stage": 3}, "x": "${'x'.repeat(50_000_000)}"}`,
    'long.sh': `python train.py --model_name gpt2 --batch_size 2 ${'--a b '.repeat(10_000)}\n`,
    'cycle.sh': 'A="$B"\nB="$A"\npython train.py --model_name $A --batch_size 2\n',
  };
  for (const [name, text] of Object.entries(texts)) {
    const started = performance.now();
    runsOf({ [name]: text });
    assert.ok(performance.now() - started < 20_000, `${name} took ${performance.now() - started} ms`);
  }
});

/** One file of every library that is told by its keys. */
const everyLibrary: Readonly<Record<string, string>> = {
  litgpt:
    'checkpoint_dir: checkpoints/gpt2\nprecision: bf16-true\nquantize: bnb.nf4\ndevices: 2\nnum_nodes: 2\nlora_r: 8\nlora_mlp: true\ntrain:\n  micro_batch_size: 1\n  max_seq_length: 8\noptimizer: AdamW\n',
  nanotron:
    'model:\n  dtype: bfloat16\n  model_config:\n    is_llama_config: true\n    hidden_size: 8\n    num_hidden_layers: 1\n    num_attention_heads: 2\n    vocab_size: 9\noptimizer:\n  zero_stage: 0\nparallelism:\n  dp: 1\n  recompute_layer: true\ntokens:\n  micro_batch_size: 1\n  sequence_length: 4\n',
  lingua:
    'distributed:\n  fsdp_type: full_shard\n  selective_activation_checkpointing: true\nmodel:\n  dim: 8\n  n_layers: 1\n  n_heads: 2\n  ffn_dim_multiplier: 1.5\ndata:\n  batch_size: 1\n  seq_len: 4\n',
  nemo: 'trainer:\n  devices: 1\n  precision: 16\nmodel:\n  micro_batch_size: 1\n  encoder_seq_length: 4\n  num_layers: 1\n  hidden_size: 8\n  num_attention_heads: 2\n  activation: swiglu\n  optim:\n    name: adamw\n',
  neox: 'pipe_parallel_size: 1\nmodel_parallel_size: 1\nnum_layers: 1\nhidden_size: 8\nnum_attention_heads: 2\nintermediate_size: 24\nactivation: swiglu\nattention_config: [[["flash"], 1]]\ncheckpoint_activations: true\nzero_optimization:\n  stage: 1\n',
  fairseq2:
    'model:\n  arch: llama3_2_1b\n  config_overrides:\n    num_layers: 1\ndataset:\n  max_seq_len: 4\n  max_num_tokens: 8\ntrainer:\n  activation_checkpointing:\n    mode: layerwise\nregime:\n  num_steps: 1\n',
  swift:
    'model: gpt2\ntuner_type: lora\nlora_rank: 8\nrlhf_type: grpo\ndataset: [a]\nmax_length: 4\nmax_completion_length: 4\ndeepspeed: zero3_offload\n',
  sections: 'model: gpt2\ntraining:\n  max_seq_length: 4\n  gradient_accumulation_steps: 2\nlora:\n  lora_r: 8\n',
};

test('settings that end anywhere, and values of every other kind, are read without a fault', () => {
  const others = ['null', '[[1], {a: 2}]', '-1', '.inf', '"True"', '${a.b}'];
  for (const [library, text] of Object.entries(everyLibrary)) {
    const lines = text.split('\n');
    assert.equal(runsOf({ 'a.yaml': text }).length, 1, library);
    for (let line = 0; line < lines.length; line++) {
      runsOf({ 'a.yaml': lines.slice(0, line).join('\n') });
      for (const other of others) {
        const changed = lines.map((each, index) => (index === line ? each.replace(/: .*$/, `: ${other}`) : each));
        for (const { facts } of runsOf({ 'a.yaml': changed.join('\n') }))
          for (const fact of [facts.run.batch, facts.run.sequence])
            assert.ok(Number.isSafeInteger(fact.value) && fact.value > 0, `${library}: ${other} on line ${line + 1}`);
      }
    }
  }
});

tells(
  'references in a circle say nothing',
  {
    'a.yml': `base_model: gpt2\nadapter: lora\nmicro_batch_size: \${sequence_len}\nsequence_len: \${micro_batch_size}\n`,
  },
  { batch: '1 assumed', notes: [/micro_batch_size on line 3/] },
);
tells(
  'of repeated keys the last one counts',
  {
    'ds.json':
      '{"train_micro_batch_size_per_gpu": 4, "train_micro_batch_size_per_gpu": "8", "bf16": {"enabled": "True"}}',
  },
  { batch: '8 @1:73', dataType: 'bf16 @1:98', lost: { batch: [4] } },
);
