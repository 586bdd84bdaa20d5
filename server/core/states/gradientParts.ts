import type { DataType } from '../facts/facts.ts';
import { shardSource, shardsGradients } from './parameterParts.ts';
import { always, fromBackward, perRank, type StatePart, withoutEmpty } from './parts.ts';
import type { Place, StatesSetup } from './setup.ts';
import { largestTensorElements, sharded, shardRanks } from './shards.ts';
import { storedBytes } from './storage.ts';
import { sumOverTensors, tensorElements, type WeightTensor, type WeightUnit } from './weights.ts';

/** Gradients that wait for the step, of trained weights only. */
export function gradientParts(local: readonly WeightUnit[], setup: StatesSetup): readonly StatePart[] {
  const { sharding, precision } = setup;
  if (setup.optimizerInBackward) return withoutEmpty([oneGradient(local, setup)]);
  const cut = shardsGradients(setup);
  const bytes = sumOverTensors(cut ? sharded(local, setup) : local, (tensor, count) =>
    tensor.trainable ? count * storedBytes(tensorElements(tensor), gradientType(tensor, precision.gradients)) : 0,
  );
  // Micro-batches add up in them, ZeRO 3 keeps one flat buffer, and gradients inside DDP's buckets are as lasting as those.
  const staysBetweenSteps =
    setup.microBatchesPerStep > 1 ||
    (sharding.kind === 'zero' && sharding.stage === 3) ||
    (sharding.kind === 'ddp' && sharding.gradientAsBucketView);
  const gradients: StatePart = {
    key: 'gradients',
    label: `Gradients (${precision.gradients})`,
    bytes,
    group: 'gradients',
    place: gradientPlace(setup),
    live: staysBetweenSteps ? always : fromBackward,
    formula: `${storedBytes(1, precision.gradients)} bytes × trained weights${perRank(cut ? shardRanks(setup) : 1)}`,
    source: cut ? shardSource(setup) : 'torch: a gradient is as large as its parameter',
  };
  return withoutEmpty([gradients, buckets(setup, bytes)]);
}

const gradientType = (tensor: WeightTensor, ofRun: DataType): DataType =>
  tensor.storage === undefined || tensor.storage === 'int8' || tensor.storage === 'nf4' ? ofRun : tensor.storage;

/** ZeRO 2 and 3 bring gradients to where the optimizer is; FSDP to where the sharded parameters are. */
function gradientPlace({ sharding, offload }: StatesSetup): Place {
  if (sharding.kind === 'zero' && sharding.stage >= 2) return offload.optimizer;
  return sharding.kind === 'fsdp' ? offload.parameters : 'device';
}

/** DDP's buckets hold all gradients once more, from the moment the model is wrapped. */
function buckets({ sharding }: StatesSetup, gradientBytes: number): StatePart {
  const apart = sharding.kind === 'ddp' && !sharding.gradientAsBucketView;
  return {
    key: 'ddp-buckets',
    label: 'DDP buckets',
    bytes: apart ? gradientBytes : 0,
    group: 'communication',
    place: 'device',
    live: always,
    formula: 'the size of all gradients; 0 with gradient_as_bucket_view',
    source: 'torch 2.13 DistributedDataParallel, gradient_as_bucket_view',
  };
}

function oneGradient(local: readonly WeightUnit[], { precision }: StatesSetup): StatePart {
  return {
    key: 'gradients',
    label: `Gradient of one tensor (${precision.gradients})`,
    bytes: storedBytes(largestTensorElements(local, true), precision.gradients),
    group: 'gradients',
    place: 'device',
    live: ['backward'],
    formula: 'the largest trained tensor: each gradient is used and freed as soon as it is there',
    source: 'Lv et al. 2023 (LOMO); torch register_post_accumulate_grad_hook',
  };
}
