import type {
  AttentionImplementation,
  DataType,
  OptimizerImplementation,
  OptimizerName,
  ShardingName,
} from '../facts.ts';

/** Words that libraries have for the same thing, in small letters. */
export const dataTypeWords: Readonly<Record<string, DataType>> = {
  bf16: 'bf16',
  bfloat16: 'bf16',
  'torch.bfloat16': 'bf16',
  amp_bf16: 'bf16',
  amp_bfloat16: 'bf16',
  'bf16-mixed': 'bf16',
  'bf16-true': 'bf16',
  pure_bf16: 'bf16',
  fp16: 'fp16',
  float16: 'fp16',
  half: 'fp16',
  'torch.float16': 'fp16',
  amp: 'fp16',
  amp_fp16: 'fp16',
  '16-mixed': 'fp16',
  '16-true': 'fp16',
  pure_fp16: 'fp16',
  fp32: 'fp32',
  float32: 'fp32',
  'torch.float32': 'fp32',
  '32-true': 'fp32',
  no: 'fp32',
  false: 'fp32',
};

/** The data type of a word is what autocast computes in, over fp32 weights. */
export const meansAutocast = (word: string): boolean => /^amp|-mixed$/.test(word);

export const attentionWords: Readonly<Record<string, AttentionImplementation>> = {
  eager: 'eager',
  disabled: 'eager',
  torch: 'eager',
  sdpa: 'sdpa',
  flash: 'flash',
  flash_attn: 'flash',
  fa2: 'flash',
  fa3: 'flash',
  flash2: 'flash',
  flash_attention_2: 'flash',
  flash_attention_3: 'flash',
  'kernels-community/flash-attn2': 'flash',
  'kernels-community/flash-attn3': 'flash',
};

/** Names of transformers, torch, DeepSpeed, Composer and bitsandbytes. */
export const optimizerWords: Readonly<Record<string, OptimizerName>> = {
  adamw: 'adamw',
  adam: 'adamw',
  adamw_torch: 'adamw',
  adamw_hf: 'adamw',
  adamw_torch_fused: 'adamw',
  adamw_apex_fused: 'adamw',
  fusedadam: 'adamw',
  decoupled_adamw: 'adamw',
  'torch.optim.adamw': 'adamw',
  'torch.optim.adam': 'adamw',
  adamw_8bit: 'adamw-8bit',
  adamw_bnb_8bit: 'adamw-8bit',
  adamw_torch_8bit: 'adamw-8bit',
  adamw8bit: 'adamw-8bit',
  'bitsandbytes.optim.adamw8bit': 'adamw-8bit',
  paged_adamw: 'paged-adamw',
  paged_adamw_32bit: 'paged-adamw',
  pagedadamw: 'paged-adamw',
  'bitsandbytes.optim.pagedadamw': 'paged-adamw',
  paged_adamw_8bit: 'paged-adamw-8bit',
  pagedadamw8bit: 'paged-adamw-8bit',
  'bitsandbytes.optim.pagedadamw8bit': 'paged-adamw-8bit',
  adafactor: 'adafactor',
  sgd: 'sgd',
  'torch.optim.sgd': 'sgd',
  lion: 'lion',
  lion_32bit: 'lion',
  lionw: 'lion',
  decoupled_lionw: 'lion',
  lion_8bit: 'lion-8bit',
  muon: 'muon',
};

/** Names that say how AdamW steps as well. Composer's own goes through the tensors one by one. */
export const implementationWords: Readonly<Record<string, OptimizerImplementation>> = {
  adamw_torch: 'foreach',
  adamw_torch_fused: 'fused',
  adamw_apex_fused: 'fused',
  adamw_hf: 'for-loop',
  fusedadam: 'fused',
  decoupled_adamw: 'for-loop',
};

export const zeroStages: Readonly<Record<string, ShardingName>> = {
  '0': 'ddp',
  '1': 'zero-1',
  '2': 'zero-2',
  '3': 'zero-3',
};

export const lightningStrategies: Readonly<Record<string, ShardingName>> = {
  deepspeed_stage_1: 'zero-1',
  deepspeed_stage_2: 'zero-2',
  deepspeed_stage_2_offload: 'zero-2',
  deepspeed_stage_3: 'zero-3',
  deepspeed_stage_3_offload: 'zero-3',
};

export type FsdpStrategy = 'full' | 'kept' | 'ddp' | 'hybrid';

/**
 * FSDP's strategies by name and by the number of torch's enumeration. `kept` shards everything too and keeps what it has
 * gathered in forward until backward.
 */
export const fsdpStrategies: Readonly<Record<string, FsdpStrategy>> = {
  full_shard: 'full',
  '1': 'full',
  shard_grad_op: 'kept',
  '2': 'kept',
  no_shard: 'ddp',
  '3': 'ddp',
  hybrid_shard: 'hybrid',
  '4': 'hybrid',
  hybrid_shard_zero2: 'hybrid',
  _hybrid_shard_zero2: 'hybrid',
  '5': 'hybrid',
};
