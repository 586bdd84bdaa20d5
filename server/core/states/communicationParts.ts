import { shardSource } from './parameterParts.ts';
import { always, type StatePart, whileRunning, withoutEmpty } from './parts.ts';
import type { FsdpSharding, StatesSetup, ZeroSharding } from './setup.ts';
import { largestLayersElements, largestTensorElements } from './shards.ts';
import { storedBytes } from './storage.ts';
import { isTrainable, tensorElements, type WeightTensor, type WeightUnit, weightElements } from './weights.ts';

/** What sharding gathers for the time a layer runs, and the buffers gradients travel in. DDP's buckets are with gradients. */
export function communicationParts(local: readonly WeightUnit[], setup: StatesSetup): readonly StatePart[] {
  const { sharding } = setup;
  if (sharding.kind === 'zero') return withoutEmpty(zeroParts(local, setup, sharding));
  return sharding.kind === 'fsdp' ? withoutEmpty(fsdpParts(local, setup, sharding)) : [];
}

/**
 * FSDP: the root unit (what is outside the layers) stays gathered from forward to backward, of the layers `gatheredLayers`
 * at a time, or all of them without resharding. In backward one layer's gradients and the buffer they are scattered
 * from live beside that.
 */
function fsdpParts(local: readonly WeightUnit[], setup: StatesSetup, sharding: FsdpSharding): readonly StatePart[] {
  const root = local.filter(({ place }) => place !== 'layers');
  const layers = local.filter(({ place }) => place === 'layers');
  const gathered = sharding.reshardAfterForward
    ? largestLayersElements(local, sharding.gatheredLayers)
    : weightElements(layers);
  const trained = Math.max(
    largestLayersElements(local, 1, isTrainable),
    root.length === 0 ? 0 : weightElements(root, isTrainable),
  );
  const source = shardSource(setup);
  const common = { group: 'communication', place: 'device', source } as const;
  return [
    {
      ...common,
      key: 'gathered-root',
      label: `Gathered weights outside the layers (${sharding.gatheredType})`,
      bytes: storedBytes(weightElements(root), sharding.gatheredType),
      live: whileRunning,
      formula: 'all weights of the root unit, which is not resharded after forward',
    },
    {
      ...common,
      key: 'gathered-layers',
      label: `Gathered layers (${sharding.gatheredType})`,
      bytes: storedBytes(gathered, sharding.gatheredType),
      live: whileRunning,
      formula: sharding.reshardAfterForward
        ? `the ${sharding.gatheredLayers} largest layers: the one that runs and those prefetched`
        : 'all layers: without reshard_after_forward they stay gathered until backward',
    },
    {
      ...common,
      key: 'unsharded-gradients',
      label: `Gradients of one unit (${sharding.gatheredType})`,
      bytes: storedBytes(trained, sharding.gatheredType),
      live: ['backward'],
      formula: 'the unit with most trained weights, before its gradients are scattered',
    },
    {
      ...common,
      key: 'reduce-scatter-input',
      label: `Reduce-scatter buffer (${sharding.reduceType})`,
      bytes: storedBytes(trained, sharding.reduceType),
      live: ['backward'],
      formula: 'a copy of one unit’s gradients in the type they travel in',
    },
  ];
}

/** ZeRO's buffers; with stage 3 also what is gathered, in DeepSpeed's own estimate `4 × largest layer` in 16 bits. */
function zeroParts(local: readonly WeightUnit[], setup: StatesSetup, sharding: ZeroSharding): readonly StatePart[] {
  const { precision } = setup;
  const { stage, reduceBucketElements: bucket } = sharding;
  const common = { group: 'communication', place: 'device', source: shardSource(setup) } as const;
  const buffers = stage < 3 && sharding.overlapCommunication ? 2 : 1;
  const reduce: StatePart = {
    ...common,
    key: 'reduce-bucket',
    label: `Reduce bucket (${precision.gradients})`,
    bytes: stage === 0 ? 0 : storedBytes(buffers * bucket, precision.gradients),
    // Stage 3 makes it once for the whole run.
    live: stage === 3 ? always : ['backward'],
    formula: `reduce_bucket_size × ${storedBytes(1, precision.gradients)} bytes${buffers === 2 ? ' × 2 (overlap_comm)' : ''}`,
  };
  if (stage !== 3) return [reduce];
  const all = weightElements(local);
  const isPersistent = (tensor: WeightTensor): boolean =>
    !tensor.lumped && tensorElements(tensor) < sharding.persistentBelowElements;
  const largest = largestTensorElements(local);
  return [
    reduce,
    {
      ...common,
      key: 'persistent-parameters',
      label: 'Small tensors kept whole',
      bytes: storedBytes(weightElements(local, isPersistent), precision.weights),
      live: always,
      formula: 'tensors smaller than stage3_param_persistence_threshold',
    },
    {
      ...common,
      key: 'gathered-parameters',
      label: `Gathered weights (${precision.weights})`,
      bytes: storedBytes(Math.min(all, largest + sharding.prefetchElements), precision.weights),
      live: whileRunning,
      formula: 'the largest tensor and stage3_prefetch_bucket_size ahead of it',
    },
    {
      ...common,
      key: 'gathered-gradients',
      label: `Gradient of the largest tensor (${precision.gradients})`,
      bytes: storedBytes(largestTensorElements(local, true), precision.gradients),
      live: ['backward'],
      formula: 'the largest trained tensor, before its gradient is divided',
    },
  ];
}
