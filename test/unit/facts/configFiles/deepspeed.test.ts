import { tells } from './check.ts';

tells(
  'a file that says its own numbers',
  {
    'ds.json': `
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 2,
  "bf16": { "enabled": true },
  "zero_optimization": {
    "stage": 3,
    "offload_optimizer": { "device": "cpu" },
    "offload_param": { "device": "nvme" }
  },
  "optimizer": { "type": "AdamW" },
  "activation_checkpointing": { "partition_activations": true }
}
`,
  },
  {
    title: 'ds.json (DeepSpeed)',
    batch: '4 @2:37',
    gradientAccumulation: '2 @3:34',
    dataType: 'bf16 @4:24',
    autocast: 'false @4:24',
    sharding: 'zero-3 @6:14',
    offload: 'parameters-and-optimizer @8:34',
    optimizer: 'adamw @10:26',
    // The block tunes a function that the model has to call itself.
    checkpointing: 'none 1 = nothing switches it on',
  },
);

tells(
  '"auto" says nothing',
  {
    'ds.json':
      '{"train_micro_batch_size_per_gpu": "auto", "bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2}}',
  },
  { batch: '1 assumed', dataType: 'fp32 assumed', sharding: 'zero-2 @1:104' },
);

tells(
  'fp16 beside a bf16 that is off, and stage 0',
  {
    'ds.json':
      '{"train_batch_size": 32, "fp16": {"enabled": true}, "bf16": {"enabled": false}, "zero_optimization": {"stage": 0}}',
  },
  { dataType: 'fp16 @1:46', sharding: 'ddp @1:112', batch: '1 assumed' },
);

tells(
  'a repeated key: the last one counts, the first one lost',
  {
    'ds.json': '{"zero_optimization": {"stage": 1, "stage": 3}, "train_micro_batch_size_per_gpu": 2}',
  },
  { sharding: 'zero-3 @1:45', lost: { sharding: [1] } },
);

tells(
  'null and a wrong kind of value',
  {
    'ds.json': '{"zero_optimization": {"stage": null}, "train_micro_batch_size_per_gpu": "many"}',
  },
  {
    sharding: undefined,
    batch: '1 assumed',
    notes: [/train_micro_batch_size_per_gpu on line 1 of ds\.json is "many"/],
  },
);
