import { dividesProblem, type Problem } from './problems.ts';
import type { StatesSetup } from './setup.ts';
import {
  isTrainable,
  tensorElements,
  unitElements,
  type WeightTensor,
  type WeightUnit,
  weightElements,
} from './weights.ts';

/** Ranks that hold one copy of the dense weights together: data parallel times context parallel. */
export const shardRanks = ({ sharding, contextParallel }: StatesSetup): number =>
  sharding.kind === 'none' ? contextParallel : sharding.ranks * contextParallel;

/** Experts have fewer ranks to spread over: those that hold the same experts. */
export const expertShardRanks = (setup: StatesSetup): number => shardRanks(setup) / setup.expertParallel;

/** Expert parallelism takes its ranks from the data-parallel ones. */
export function shardProblems(setup: StatesSetup): readonly Problem[] {
  const { sharding, expertParallel } = setup;
  if (sharding.kind === 'none' || expertParallel === 1) return [];
  return dividesProblem('expertParallel', shardRanks(setup), expertParallel, 'the data-parallel ranks');
}

/**
 * The tensors of the rank with the largest share, in the shapes the optimizer sees. FSDP 2 cuts each tensor's first dimension
 * and gives the first ranks `⌈d/N⌉` rows. FSDP 1 flattens a unit, ZeRO all weights, and both pad to a multiple of N.
 */
export function sharded(units: readonly WeightUnit[], setup: StatesSetup): readonly WeightUnit[] {
  const ranksOf = (tensor: WeightTensor): number => (tensor.expert ? expertShardRanks(setup) : shardRanks(setup));
  const { sharding } = setup;
  if (sharding.kind === 'fsdp' && sharding.version === 2)
    return units.map((unit) => ({ ...unit, tensors: unit.tensors.map((tensor) => cutRows(tensor, ranksOf(tensor))) }));
  if (sharding.kind === 'fsdp')
    return units.map((unit) => ({ ...unit, tensors: flattened([{ ...unit, repeats: 1 }], ranksOf) }));
  if (sharding.kind === 'zero')
    return [{ name: 'flat', place: 'layers', repeats: 1, tensors: flattened(units, ranksOf) }];
  return units;
}

function cutRows(tensor: WeightTensor, ranks: number): WeightTensor {
  const [rows = 1, ...rest] = tensor.shape;
  return { ...tensor, shape: [Math.ceil(rows / ranks), ...rest] };
}

/** One flat tensor for all that is stored and trained alike. */
function flattened(units: readonly WeightUnit[], ranksOf: (tensor: WeightTensor) => number): readonly WeightTensor[] {
  const kinds = new Map<string, WeightTensor>();
  for (const { tensors } of units)
    for (const tensor of tensors) {
      const key = kindOf(tensor);
      if (!kinds.has(key)) kinds.set(key, tensor);
    }
  return [...kinds].map(([key, tensor]) => {
    const elements = weightElements(units, (other) => kindOf(other) === key);
    const { tensorParallelDimension: _, copies: __, ...kept } = tensor;
    return { ...kept, name: 'flat', role: 'other', shape: [Math.ceil(elements / ranksOf(tensor))] };
  });
}

const kindOf = ({ storage, trainable, expert }: WeightTensor): string => `${storage} ${trainable} ${expert === true}`;

/** The sum of the largest `count` layers, each by its own elements. */
export function largestLayersElements(
  units: readonly WeightUnit[],
  count: number,
  counts?: (tensor: WeightTensor) => boolean,
): number {
  const layers = units
    .filter(({ place }) => place === 'layers')
    .map((unit) => ({ elements: unitElements(unit, counts), repeats: unit.repeats }))
    .sort((a, b) => b.elements - a.elements);
  let left = count;
  let sum = 0;
  for (const { elements, repeats } of layers) {
    const taken = Math.min(left, repeats);
    sum += taken * elements;
    left -= taken;
  }
  return sum;
}

/** Elements of the largest single tensor, among the trainable ones if asked so. */
export function largestTensorElements(units: readonly WeightUnit[], onlyTrainable = false): number {
  let largest = 0;
  for (const { tensors } of units)
    for (const tensor of tensors)
      if (!onlyTrainable || isTrainable(tensor)) largest = Math.max(largest, tensorElements(tensor));
  return largest;
}
