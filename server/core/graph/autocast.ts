import { cast } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { type OperationName, operationRow } from './operations.ts';
import { type ElementType, isFloating, type Tensor } from './tensor.ts';

/** The inputs as the operation sees them: cast where autocast is on and the operation's row says so. */
export function underAutocast(graph: GraphBuilder, name: OperationName, inputs: readonly Tensor[]): readonly Tensor[] {
  const { autocast } = operationRow(name);
  if (!graph.precision.autocast || autocast === undefined) return inputs;
  const type = autocast === 'low' ? graph.precision.compute : autocast === 'fp32' ? 'fp32' : widest(inputs);
  return inputs.map((input) => (isFloating(input.elementType) ? converted(graph, input, type) : input));
}

/** Weights that learn are cast down once for a forward pass; everything else each time. */
function converted(graph: GraphBuilder, input: Tensor, type: ElementType): Tensor {
  const isCached = type !== 'fp32' && input.storage.role === 'parameter' && input.requiresGradient;
  if (!isCached) return cast(graph, input, type);
  return graph.castWeight(input, (weight) => graph.within('weight-copies', () => cast(graph, weight, type)));
}

const widest = (inputs: readonly Tensor[]): ElementType =>
  inputs.some(({ elementType }) => elementType === 'fp32')
    ? 'fp32'
    : (inputs.find(({ elementType }) => isFloating(elementType))?.elementType ?? 'fp32');
