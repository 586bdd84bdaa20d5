import { multiply } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { record } from './record.ts';
import { newTensor, type Tensor } from './tensor.ts';

/** Dropout as it runs off CUDA, and for whole features (`dropout2d`) anywhere: noise of the input's type, not a mask. */
export const noiseDropout = (graph: GraphBuilder, input: Tensor): Tensor => {
  const noise = newTensor(input.shape, input.elementType);
  return record(graph, 'noiseDropout', [input], newTensor(input.shape, input.elementType), noise);
};

/** `dropout(inplace=True)`, which on CUDA too keeps noise of the input's type. */
export const dropoutInPlace = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'noiseDropout', [input], input, newTensor(input.shape, input.elementType));

/** Stochastic depth as timm writes it: one random factor for each sample of a batch. */
export function dropPath(graph: GraphBuilder, input: Tensor): Tensor {
  const shape = input.shape.map((length, i) => (i === 0 ? length : 1));
  return multiply(graph, input, record(graph, 'randomNumbers', [], newTensor(shape, input.elementType)));
}
