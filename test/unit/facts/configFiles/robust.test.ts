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
