import type { Operation } from '../graph/graph.ts';
import type { Storage } from '../graph/tensor.ts';

/** Dimension of a `[outputs, inputs]` matrix, or of its bias, that tensor parallelism cuts. */
export type CutDimension = 0 | 1;

/**
 * Which weights of a layer tensor parallelism cuts, by Megatron-LM's rule (Shoeybi et al. 2019): a linear that reads the
 * whole stream is cut by its outputs, one that reads what such a linear made is cut by its inputs and gives the whole
 * stream again. Norms, routers, adapters and the biases of linears cut by inputs stay whole on every rank.
 */
export function tensorParallelCuts(operations: readonly Operation[]): ReadonlyMap<Storage, CutDimension> {
  const cuts = new Map<Storage, CutDimension>();
  /** Activations of which each rank has its own part. */
  const divided = new Set<Storage>();
  /** Autocast's copies of weights, to the weights. */
  const copied = new Map<Storage, Storage>();
  for (const operation of operations) {
    const { inputs, outputs, part } = operation;
    if (part === 'weight-copies') {
      const [weight] = inputs;
      if (weight) for (const { storage } of outputs) copied.set(storage, copied.get(weight.storage) ?? weight.storage);
      continue;
    }
    const parameterOf = (at: number): Storage | undefined => {
      const storage = inputs[at]?.storage;
      const original = storage && (copied.get(storage) ?? storage);
      return original?.role === 'parameter' ? original : undefined;
    };
    const weight =
      operation.name === 'linear' && part !== 'adapters' && part !== 'experts' ? parameterOf(1) : undefined;
    const readsDivided = inputs.some(({ storage }) => divided.has(storage));
    let isDivided = readsDivided;
    if (weight !== undefined) {
      const byInputs = inputs[0] !== undefined && divided.has(inputs[0].storage);
      cuts.set(weight, byInputs ? 1 : 0);
      const bias = parameterOf(2);
      if (bias !== undefined && !byInputs) cuts.set(bias, 0);
      isDivided = !byInputs;
    }
    if (isDivided) for (const { storage } of outputs) divided.add(storage);
  }
  return cuts;
}
