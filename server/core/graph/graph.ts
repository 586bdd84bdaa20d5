import type { Adapters } from '../facts/facts.ts';
import { type Call, type OperationName, operationRow } from './operations.ts';
import { isFloating, type Tensor } from './tensor.ts';

/** What one piece of a model does, in order: a layer, or what comes before or after the layers. */
export interface Graph {
  readonly operations: readonly Operation[];
}

export interface Operation extends Call {
  readonly name: OperationName;
  /** The part of the model it belongs to, for breakdowns: `mlp`, `attention-scores`. */
  readonly part: string;
  /** What autograd keeps of it for the backward pass; parameters and inputs included. */
  readonly kept: readonly Tensor[];
}

/**
 * A graph being written by a family template. The functions of `elementwise`, `products`, `reductions` and `shapes` add to
 * it what PyTorch would run.
 */
export class GraphBuilder implements Graph {
  readonly operations: Operation[] = [];
  readonly precision: Precision;
  readonly training: Training;
  readonly kernels: Kernels;
  /** What the code that runs the piece still holds in variables when it returns. */
  readonly locals: Tensor[] = [];
  readonly #parts: string[] = ['other'];
  readonly #castWeights = new Map<Tensor, Tensor>();

  constructor(precision: Precision, training: Training = { frozen: false }, kernels: Kernels = 'cuda') {
    this.precision = precision;
    this.training = training;
    this.kernels = kernels;
  }

  /** Everything `build` adds belongs to `part`. */
  within<T>(part: string, build: () => T): T {
    this.#parts.push(part);
    const result = build();
    this.#parts.pop();
    return result;
  }

  /** Adds an operation. Its outputs need a gradient if an input does; nothing is kept if none does. */
  add(
    name: OperationName,
    inputs: readonly Tensor[],
    outputs: readonly Tensor[],
    more: Pick<Call, 'dimensions' | 'castFrom'> = {},
  ): readonly Tensor[] {
    const needsGradient = inputs.some((input) => input.requiresGradient);
    const results = outputs.map((output) => ({
      ...output,
      requiresGradient: needsGradient && isFloating(output.elementType),
    }));
    const call = { inputs, outputs: results, ...more };
    const kept = needsGradient ? (operationRow(name).keeps?.(call) ?? []) : [];
    this.operations.push({ name, part: this.#parts.at(-1) ?? 'other', ...call, kept });
    return results;
  }

  /** Autocast casts a weight once for a forward pass, however often it is used. */
  castWeight(weight: Tensor, cast: (weight: Tensor) => Tensor): Tensor {
    const known = this.#castWeights.get(weight);
    if (known) return known;
    const made = cast(weight);
    this.#castWeights.set(weight, made);
    return made;
  }
}

/** The meta device runs no kernel, so it has none of what kernels make for a moment. */
export type Kernels = 'cuda' | 'meta';

export interface Precision {
  /** What matrix products compute in. */
  readonly compute: 'fp32' | 'bf16' | 'fp16';
  /** What weights are in: fp32 under autocast where nothing else casts them, else the same. */
  readonly weights: 'fp32' | 'bf16' | 'fp16';
  /** Autocast casts the inputs of matrix products down and those of norms, softmax and powers up. */
  readonly autocast: boolean;
}

/** Which weights learn. */
export interface Training {
  /** The model's own weights need no gradient. */
  readonly frozen: boolean;
  /** LoRA matrices beside the model's linear layers, which are frozen then. */
  readonly adapters?: Adapters | undefined;
}
