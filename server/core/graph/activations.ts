import { underAutocast } from './autocast.ts';
import { multiply, scale, tanh } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import { parameter } from './products.ts';
import { record } from './record.ts';
import { contiguous } from './shapes.ts';
import { denseStrides, newTensor, size, type Tensor } from './tensor.ts';

export const sigmoid = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'sigmoid', input);
export const softplus = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'softplus', input);
export const logSigmoid = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'logSigmoid', input);
export const mish = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'mish', input);
export const hardSwish = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'hardSwish', input);
export const hardSigmoid = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'hardSigmoid', input);
export const leakyRelu = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'leakyRelu', input);
export const elu = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'elu', input);
/** Also `hardtanh` with any other bounds. */
export const relu6 = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'hardTanh', input);

/**
 * `inplace=True`: the result takes the input's storage. What backward can work out from the result costs nothing then; of
 * the rest torch keeps a copy of the input, so that being in place saves nothing.
 */
export const inPlace = {
  relu: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'relu', [input], input),
  sigmoid: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'sigmoid', [input], input),
  tanh: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'tanh', [input], input),
  leakyRelu: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'leakyRelu', [input], input),
  elu: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'elu', [input], input),
  add: (graph: GraphBuilder, input: Tensor, other: Tensor): Tensor => record(graph, 'add', [input, other], input),
  relu6: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'hardTanh', [input], input, like(input)),
  clamp: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'clamp', [input], input, like(input)),
  silu: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'silu', [input], input, like(input)),
  mish: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'mish', [input], input, like(input)),
  hardSwish: (graph: GraphBuilder, input: Tensor): Tensor => record(graph, 'hardSwish', [input], input, like(input)),
  hardSigmoid: (graph: GraphBuilder, input: Tensor): Tensor =>
    record(graph, 'hardSigmoid', [input], input, like(input)),
} as const;

export function prelu(graph: GraphBuilder, input: Tensor, slopes = 1): Tensor {
  const [from = input, slope = input] = underAutocast(graph, 'prelu', [input, parameter(graph, slopes)]);
  return record(graph, 'prelu', [from, slope], like(from));
}

/** Half as wide as its input. */
export function glu(graph: GraphBuilder, input: Tensor, dimension = -1): Tensor {
  const at = dimension < 0 ? input.shape.length + dimension : dimension;
  return record(graph, 'glu', [input], newTensor(input.shape.with(at, size(input, at) / 2), input.elementType));
}

/** `input * sigmoid(1.702 * input)`, written out in Python by CLIP and its like. */
export const quickGelu = (graph: GraphBuilder, input: Tensor): Tensor =>
  multiply(graph, input, sigmoid(graph, scale(graph, input)));

/** BLOOM's GELU, an autograd function of its own that keeps its input. */
export const ownGelu = (graph: GraphBuilder, input: Tensor): Tensor => activation(graph, 'ownGelu', input);

/** `act(gate) * up` in one kernel, with SiLU or GELU. Takes contiguous tensors and copies others. */
export function gatedActivation(graph: GraphBuilder, gate: Tensor, up: Tensor): Tensor {
  const inputs = [contiguous(graph, gate), contiguous(graph, up)];
  return record(graph, 'gatedActivation', inputs, newTensor(gate.shape, gate.elementType));
}

/** `cap * tanh(input / cap)`: what Gemma2 does to scores and logits. */
export const softCap = (graph: GraphBuilder, input: Tensor): Tensor => scale(graph, tanh(graph, scale(graph, input)));

function activation(graph: GraphBuilder, name: OperationName, input: Tensor): Tensor {
  const [from = input] = underAutocast(graph, name, [input]);
  return record(graph, name, [from], like(from));
}

const like = (tensor: Tensor): Tensor => newTensor(tensor.shape, tensor.elementType, { strides: denseStrides(tensor) });
