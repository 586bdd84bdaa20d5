import type { DataType } from '../facts/facts.ts';
import type { Optimizer } from './optimizers.ts';

/** How a run keeps parameters, gradients and optimizer states, and how it spreads them over ranks. */
export interface StatesSetup {
  readonly precision: Precision;
  readonly optimizer: Optimizer;
  readonly sharding: Sharding;
  /** Ranks that split single matrices. 1 = off, as for every size here. */
  readonly tensorParallel: number;
  /** Ranks that split the sequence. They hold the same weights, so sharding spreads over them too. */
  readonly contextParallel: number;
  /** Ranks among which experts are divided. */
  readonly expertParallel: number;
  readonly pipeline: Pipeline;
  readonly offload: Offload;
  /** Micro-batches whose gradients add up before one optimizer step. */
  readonly microBatchesPerStep: number;
  /** The optimizer steps on each parameter as soon as its gradient is there, and frees the gradient. */
  readonly optimizerInBackward: boolean;
  /** The optimizer is torch's own in its `foreach` form, the default on CUDA, which makes temporaries while it steps. */
  readonly foreachStep: boolean;
  /** nf4 scales are quantised once more (`bnb_4bit_use_double_quant`). */
  readonly doubleQuantised: boolean;
}

export interface Precision {
  /** Of weights that do not say their own. */
  readonly weights: DataType;
  /** In which gradients wait for the step. */
  readonly gradients: DataType;
  /** The optimizer works on an fp32 copy of weights that are not fp32. */
  readonly masterWeights: boolean;
  /** Gradients are copied to fp32 for the step itself. */
  readonly gradientCopyForStep: boolean;
}

/**
 * Regimes by name. Autocast keeps weights, gradients and states in fp32; its low-precision copies of weights are part of the
 * activations, not of the states.
 */
export const precisions = {
  fp32: { weights: 'fp32', gradients: 'fp32', masterWeights: false, gradientCopyForStep: false },
  autocast: { weights: 'fp32', gradients: 'fp32', masterWeights: false, gradientCopyForStep: false },
  pureBf16: { weights: 'bf16', gradients: 'bf16', masterWeights: false, gradientCopyForStep: false },
  pureFp16: { weights: 'fp16', gradients: 'fp16', masterWeights: false, gradientCopyForStep: false },
  /** DeepSpeed's bf16 and fp16: 2 + 2 bytes, fp32 copy and moments, and gradients cast to fp32 in the step. */
  deepspeed: { weights: 'bf16', gradients: 'bf16', masterWeights: true, gradientCopyForStep: true },
  /** Megatron-LM: gradients add up in fp32 buffers; 2 + 4 bytes, fp32 copy and moments. */
  megatron: { weights: 'bf16', gradients: 'fp32', masterWeights: true, gradientCopyForStep: false },
  /** The count of the ZeRO paper: 2 + 2 bytes and K = 12. */
  zeroPaper: { weights: 'fp16', gradients: 'fp16', masterWeights: true, gradientCopyForStep: false },
} as const satisfies Readonly<Record<string, Precision>>;

export type Sharding =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'ddp';
      readonly ranks: number;
      /** Gradients lie inside the buckets (`gradient_as_bucket_view`, off by default) instead of beside them. */
      readonly gradientAsBucketView: boolean;
    }
  | ZeroSharding
  | FsdpSharding;

/** DeepSpeed's ZeRO; stage 1 also describes Megatron's distributed optimizer. */
export interface ZeroSharding {
  readonly kind: 'zero';
  readonly stage: 0 | 1 | 2 | 3;
  readonly ranks: number;
  /** `reduce_bucket_size`: elements of the buffer gradients are collected in. */
  readonly reduceBucketElements: number;
  /** `overlap_comm`; stages 1 and 2 then hold two such buffers. Off by default there. */
  readonly overlapCommunication: boolean;
  /** Stage 3: `stage3_prefetch_bucket_size`, elements gathered ahead. */
  readonly prefetchElements: number;
  /** Stage 3: `stage3_param_persistence_threshold`; smaller tensors stay whole on every rank. */
  readonly persistentBelowElements: number;
}

/** DeepSpeed 0.19's defaults. */
export const zeroDefaults = {
  reduceBucketElements: 500_000_000,
  overlapCommunication: false,
  prefetchElements: 50_000_000,
  persistentBelowElements: 100_000,
} as const;

export interface FsdpSharding {
  readonly kind: 'fsdp';
  readonly version: 1 | 2;
  readonly ranks: number;
  /** Layers give up their gathered weights after forward and gather them again for backward. */
  readonly reshardAfterForward: boolean;
  /** Of gathered weights and of the gradients autograd makes (`param_dtype`). */
  readonly gatheredType: DataType;
  /** In which gradients travel (`reduce_dtype`). */
  readonly reduceType: DataType;
  /** Layers gathered at the same time: the one that runs and those prefetched. 2 by default. */
  readonly gatheredLayers: number;
}

export interface Pipeline {
  readonly stages: number;
  /** This rank's stage, 0 = first. */
  readonly stage: number;
  /** Interleaved schedule: pieces of the model on one stage; 1 = plain. */
  readonly chunks: number;
}

export type Place = 'device' | 'host' | 'nvme';

export interface Offload {
  readonly parameters: Place;
  /** States and fp32 copies; with ZeRO 2 and 3 and with FSDP the gradients they are stepped with go along. */
  readonly optimizer: Place;
}

/** fp32 with torch's AdamW on one device; a base to spread over. */
export const oneDevice: StatesSetup = {
  precision: precisions.fp32,
  optimizer: { name: 'adamw' },
  sharding: { kind: 'none' },
  tensorParallel: 1,
  contextParallel: 1,
  expertParallel: 1,
  pipeline: { stages: 1, stage: 0, chunks: 1 },
  offload: { parameters: 'device', optimizer: 'device' },
  microBatchesPerStep: 1,
  optimizerInBackward: false,
  foreachStep: false,
  doubleQuantised: false,
};
