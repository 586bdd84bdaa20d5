import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import type { Tensor } from './tensor.ts';

/** Adds an operation with one result; what else it leaves behind (a mask, statistics) is named after the result. */
export function record(
  graph: GraphBuilder,
  name: OperationName,
  inputs: readonly Tensor[],
  output: Tensor,
  ...side: readonly Tensor[]
): Tensor {
  return graph.add(name, inputs, [output, ...side])[0] ?? output;
}

/** The same for an operation that works along given dimensions. */
export function recordAlong(
  graph: GraphBuilder,
  name: OperationName,
  dimensions: readonly number[],
  inputs: readonly Tensor[],
  output: Tensor,
): Tensor {
  return graph.add(name, inputs, [output], { dimensions })[0] ?? output;
}
