import type { DataType } from '../facts/facts.ts';

/**
 * The weights of a model as the states see them: every tensor with its shape, because padding, factored moments, 8-bit
 * thresholds and quantisation scales depend on shapes, not on a total. `graphWeights.ts` makes one from a model's graph.
 */
export interface ModelWeights {
  readonly units: readonly WeightUnit[];
}

/** A group of tensors that is gathered, wrapped and placed on a pipeline stage as one: a layer, or what is around them. */
export interface WeightUnit {
  readonly name: string;
  /** Where in the model: before the layers (embeddings), one of the layers, or after them (final norm, head). */
  readonly place: 'before' | 'layers' | 'after';
  /** Equal units in a row. */
  readonly repeats: number;
  readonly tensors: readonly WeightTensor[];
}

export interface WeightTensor {
  /** Within its unit, as in `named_parameters()`: `self_attn.q_proj.weight`. */
  readonly name: string;
  /** As torch has it. Where only a count is known: `[count]` with `lumped`. */
  readonly shape: readonly number[];
  /** Tensors of this name and shape in the unit; 1 where absent. Experts that are one tensor each are copies. */
  readonly copies?: number;
  readonly role: WeightRole;
  readonly trainable: boolean;
  /** How it is stored where that is not the run's own data type: a quantised base, adapters in fp32. */
  readonly storage?: StorageType;
  /** The dimension tensor parallelism cuts; absent where every rank holds the whole tensor. */
  readonly tensorParallelDimension?: number;
  /** Belongs to experts, which expert parallelism divides among ranks. */
  readonly expert?: boolean;
  /** The head reuses it: with a pipeline the last stage holds a second copy. */
  readonly tiedToHead?: boolean;
  /** Stands for several tensors whose shapes are not known. */
  readonly lumped?: boolean;
}

export type WeightRole = 'linear' | 'embedding' | 'head' | 'other';

/** `int8` and `nf4` are bitsandbytes' quantised linears; their scales are counted apart. */
export type StorageType = DataType | 'int8' | 'nf4';

/** Elements of one tensor, copies not included. */
export function tensorElements({ shape }: WeightTensor): number {
  let elements = 1;
  for (const size of shape) elements *= size;
  return elements;
}

/** Elements of one unit, its repeats not included. */
export const unitElements = (unit: WeightUnit, counts: (tensor: WeightTensor) => boolean = () => true): number =>
  unit.tensors.reduce((sum, tensor) => sum + (counts(tensor) ? (tensor.copies ?? 1) * tensorElements(tensor) : 0), 0);

/** Elements of all units, repeats included. */
export const weightElements = (
  units: readonly WeightUnit[],
  counts: (tensor: WeightTensor) => boolean = () => true,
): number => units.reduce((sum, unit) => sum + unit.repeats * unitElements(unit, counts), 0);

/** Sums something over every tensor; `of` gets a tensor and how many of it there are. */
export const sumOverTensors = (
  units: readonly WeightUnit[],
  of: (tensor: WeightTensor, count: number) => number,
): number =>
  units.reduce(
    (sum, unit) =>
      sum + unit.tensors.reduce((part, tensor) => part + of(tensor, unit.repeats * (tensor.copies ?? 1)), 0),
    0,
  );

export const isTrainable = (tensor: WeightTensor): boolean => tensor.trainable;
