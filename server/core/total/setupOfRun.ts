import { modelShape, runShape } from '../budget/account.ts';
import type { Device } from '../devices/device.ts';
import type { DataType, ModelFacts, OptimizerName, RunSettings } from '../facts/facts.ts';
import type { Optimizer } from '../states/optimizers.ts';
import {
  oneDevice,
  type Precision,
  precisions,
  type Sharding,
  type StatesSetup,
  zeroDefaults,
} from '../states/setup.ts';
import type { Training } from './assess.ts';

/** How a run keeps its states, from what its code says; what nothing says is one device and torch's AdamW. */
export function setupOfRun(run: RunSettings): StatesSetup {
  const sharding = shardingOf(run);
  return {
    ...oneDevice,
    precision: precisionOf(run),
    optimizer: optimizers[run.optimizer?.value ?? 'adamw'],
    sharding,
    tensorParallel: run.tensorParallel?.value ?? 1,
    contextParallel: run.contextParallel?.value ?? 1,
    expertParallel: run.expertParallel?.value ?? 1,
    pipeline: { stages: run.pipelineParallel?.value ?? 1, stage: 0, chunks: 1 },
    offload: {
      parameters: run.offload?.value === 'parameters-and-optimizer' ? 'host' : 'device',
      optimizer: run.offload === undefined ? 'device' : 'host',
    },
    microBatchesPerStep: run.gradientAccumulation?.value ?? 1,
    foreachStep: stepsByForeach(run) && sharding.kind !== 'zero',
  };
}

const stepsByForeach = ({ optimizer, optimizerImplementation }: RunSettings): boolean =>
  (optimizer?.value ?? 'adamw') === 'adamw' && (optimizerImplementation?.value ?? 'foreach') === 'foreach';

const optimizers: Readonly<Record<OptimizerName, Optimizer>> = {
  adamw: { name: 'adamw' },
  'adamw-8bit': { name: 'bitsandbytes', algorithm: 'adamw', bits: 8, paged: false, embeddings32Bit: true },
  'paged-adamw': { name: 'bitsandbytes', algorithm: 'adamw', bits: 32, paged: true, embeddings32Bit: true },
  'paged-adamw-8bit': { name: 'bitsandbytes', algorithm: 'adamw', bits: 8, paged: true, embeddings32Bit: true },
  adafactor: { name: 'adafactor', library: 'transformers', firstMoment: false },
  sgd: { name: 'sgd', momentum: false },
  'sgd-momentum': { name: 'sgd', momentum: true },
  lion: { name: 'lion' },
  'lion-8bit': { name: 'bitsandbytes', algorithm: 'lion', bits: 8, paged: false, embeddings32Bit: true },
  muon: { name: 'muon' },
};

function precisionOf({ dataType, autocast, sharding, shardType }: RunSettings): Precision {
  if (dataType.value === 'fp32') return precisions.fp32;
  const name = sharding?.value;
  if (name?.startsWith('zero-') === true)
    return { ...precisions.deepspeed, weights: dataType.value, gradients: dataType.value };
  if (name === 'megatron-distributed-optimizer') return { ...precisions.megatron, weights: dataType.value };
  if (autocast.value) return precisions.autocast;
  if (name?.startsWith('fsdp') === true && shardType !== undefined) return fsdpPrecision(shardType.value);
  return dataType.value === 'bf16' ? precisions.pureBf16 : precisions.pureFp16;
}

/** FSDP turns reduced gradients into the type of its shards, and the optimizer steps in it. */
const fsdpPrecision = (shards: DataType): Precision => ({ ...precisions.fp32, weights: shards, gradients: shards });

function shardingOf({ sharding, dataParallel, dataType, reduceType, reshardAfterForward }: RunSettings): Sharding {
  const ranks = dataParallel?.value ?? 1;
  switch (sharding?.value) {
    case undefined:
      return { kind: 'none' };
    case 'ddp':
      return { kind: 'ddp', ranks, gradientAsBucketView: false };
    case 'zero-1':
    case 'megatron-distributed-optimizer':
      return { kind: 'zero', stage: 1, ranks, ...zeroDefaults };
    case 'zero-2':
      return { kind: 'zero', stage: 2, ranks, ...zeroDefaults };
    case 'zero-3':
      return { kind: 'zero', stage: 3, ranks, ...zeroDefaults };
    default:
      return {
        kind: 'fsdp',
        version: sharding?.value === 'fsdp1' ? 1 : 2,
        ranks,
        reshardAfterForward: reshardAfterForward?.value ?? true,
        gatheredType: dataType.value,
        reduceType: reduceType?.value ?? dataType.value,
        gatheredLayers: 2,
      };
  }
}

/** A model and a run as their facts describe them. */
export const trainingOf = (model: ModelFacts, run: RunSettings, device: Device | undefined): Training => ({
  model: modelShape(model),
  run: runShape(run),
  now: run.checkpointing.value,
  setup: setupOfRun(run),
  sequenceParallel: run.sequenceParallel?.value,
  quantisation: run.quantisation?.value,
  device,
});
