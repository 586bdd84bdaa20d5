import { tells } from './check.ts';

const command = (more: string) => `
python3 -m verl.trainer.main_ppo \\
    data.max_prompt_length=1024 \\
    data.max_response_length=2048 \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\
${more}
`;

tells(
  'the actor of a PPO run',
  {
    'ppo.sh': command(
      '    actor_rollout_ref.model.enable_gradient_checkpointing=True \\\n    actor_rollout_ref.actor.strategy=fsdp2 \\\n    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True',
    ),
  },
  {
    title: 'ppo.sh: verl.trainer.main_ppo',
    layers: '28 of Qwen/Qwen2.5-7B @4:34',
    batch: '2 @5:58',
    sequence: '3072 = prompt 1024 + response 2048 @2:28',
    checkpointing: 'full 1 enable_gradient_checkpointing @6:59',
    sharding: 'fsdp2 @7:38',
    offload: 'optimizer @8:59',
  },
);
tells(
  'Megatron below it',
  {
    'ppo.sh': command(
      '    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \\\n    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4',
    ),
  },
  { checkpointing: 'full 1 recompute_granularity @6:89', tensorParallel: '4 @7:65' },
);
tells(
  'sequences packed by tokens',
  {
    'ppo.sh': command(
      '    actor_rollout_ref.actor.use_dynamic_bsz=True \\\n    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2',
    ),
  },
  { contextParallel: '2 @7:60', notes: [/use_dynamic_bsz packs sequences/] },
);

tells(
  'how many train, and what it takes by itself',
  { 'ppo.sh': command('    trainer.n_gpus_per_node=8 \\\n    trainer.nnodes=2') },
  {
    dataParallel: '16 = 8 * 2 processes @6:29',
    dataType: 'bf16 default verl mixed_precision',
    checkpointing: 'full 1 enable_gradient_checkpointing default verl model.enable_gradient_checkpointing',
  },
);
tells(
  'the supervised trainer, whose batch of all ranks is another',
  {
    'sft.sh': `
torchrun --nproc_per_node=4 -m verl.trainer.fsdp_sft_trainer data.train_batch_size=256 data.max_length=2048 \\
  data.micro_batch_size_per_gpu=4 model.partial_pretrain=Qwen/Qwen2.5-0.5B-Instruct model.lora_rank=32
`,
  },
  {
    layers: '24 of Qwen/Qwen2.5-0.5B @2:58',
    batch: '4 @2:33',
    sequence: '2048 @1:104',
    adapters: '32 all-linear 0 fp32 @2:101',
    dataParallel: '4 @1:27',
  },
);
