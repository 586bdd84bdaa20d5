import { always, perRank, type StatePart, withoutEmpty } from './parts.ts';
import type { StatesSetup } from './setup.ts';
import { sharded, shardRanks } from './shards.ts';
import { isQuantised, scaleBytes, storedBytes } from './storage.ts';
import { type StorageType, sumOverTensors, tensorElements, type WeightTensor, type WeightUnit } from './weights.ts';

/** The weights themselves on one rank, by what they are stored in; frozen ones apart, quantisation scales apart. */
export function parameterParts(local: readonly WeightUnit[], setup: StatesSetup): readonly StatePart[] {
  const cut = shardsParameters(setup);
  const held = cut ? sharded(local, setup) : local;
  const storageOf = (tensor: WeightTensor): StorageType => tensor.storage ?? setup.precision.weights;
  const bytesOf = (trainable: boolean, type: StorageType): number =>
    sumOverTensors(held, (tensor, count) =>
      tensor.trainable === trainable && storageOf(tensor) === type
        ? count * storedBytes(tensorElements(tensor), type)
        : 0,
    );
  const types: readonly StorageType[] = ['fp32', 'bf16', 'fp16', 'int8', 'nf4'];
  const ranks = cut ? shardRanks(setup) : 1;
  const weights = types.flatMap((type) =>
    [true, false].map((trainable): StatePart => {
      const kind = isQuantised(type) ? 'quantised-weights' : trainable ? 'parameters' : 'frozen-parameters';
      const label = isQuantised(type) ? 'Quantised weights' : trainable ? 'Parameters' : 'Frozen parameters';
      return {
        key: `${kind}-${type}`,
        label: `${label} (${type})`,
        bytes: bytesOf(trainable, type),
        group: 'parameters',
        place: setup.offload.parameters,
        live: always,
        formula: `${bytesText[type]} × ${trainable ? 'trained' : 'frozen'} weights stored so${perRank(ranks)}`,
        source: cut ? shardSource(setup) : 'torch: elements × element size',
      };
    }),
  );
  return withoutEmpty([...weights, scales(local, setup)]);
}

const bytesText: Readonly<Record<StorageType, string>> = {
  fp32: '4 bytes',
  bf16: '2 bytes',
  fp16: '2 bytes',
  int8: '1 byte',
  nf4: 'half a byte',
};

/** Scales are attributes of a tensor and not parameters, so no sharding spreads them. */
function scales(local: readonly WeightUnit[], { precision, doubleQuantised, offload }: StatesSetup): StatePart {
  return {
    key: 'quantisation-scales',
    label: doubleQuantised ? 'Quantisation scales (double quantisation)' : 'Quantisation scales',
    bytes: sumOverTensors(
      local,
      (tensor, count) => count * scaleBytes(tensor, tensor.storage ?? precision.weights, doubleQuantised),
    ),
    group: 'parameters',
    place: offload.parameters,
    live: always,
    formula: doubleQuantised
      ? '1 byte per 64 weights, 4 bytes per 256 scales, 1,092 bytes of tables per tensor'
      : '4 bytes per 64 weights and a table of 64 bytes per tensor (nf4); 4 bytes per row (int8)',
    source: 'bitsandbytes 0.50, functional.quantize_4bit; equal to measured models to the byte',
  };
}

export const shardsParameters = ({ sharding }: StatesSetup): boolean =>
  sharding.kind === 'fsdp' || (sharding.kind === 'zero' && sharding.stage === 3);

export const shardsGradients = ({ sharding }: StatesSetup): boolean =>
  sharding.kind === 'fsdp' || (sharding.kind === 'zero' && sharding.stage >= 2);

export const shardsOptimizer = ({ sharding }: StatesSetup): boolean =>
  sharding.kind === 'fsdp' || (sharding.kind === 'zero' && sharding.stage >= 1);

export function shardSource({ sharding }: StatesSetup): string {
  if (sharding.kind === 'zero') return `Rajbhandari et al. 2020 (ZeRO), stage ${sharding.stage}; DeepSpeed 0.19`;
  if (sharding.kind !== 'fsdp') return 'torch';
  return sharding.version === 2
    ? 'torch 2.13 fully_shard: each tensor’s rows, rounded up'
    : 'torch FullyShardedDataParallel: flat units, padded';
}
