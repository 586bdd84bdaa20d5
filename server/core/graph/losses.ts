import { underAutocast } from './autocast.ts';
import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import { record } from './record.ts';
import { newTensor, type Tensor } from './tensor.ts';

/** Means over all elements of `input` against a target of the same shape. */
export const squaredError = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'squaredError', input, target);
export const smoothAbsoluteError = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'smoothAbsoluteError', input, target);
export const huberLoss = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'huberLoss', input, target);
/** Of probabilities; autocast refuses it. */
export const binaryCrossEntropy = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'binaryCrossEntropy', input, target);
export const binaryCrossEntropyWithLogits = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'binaryCrossEntropyWithLogits', input, target);

/** `cross_entropy` of `[rows, classes]` against `[rows]` labels. */
export function crossEntropy(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  const [from = logits] = underAutocast(graph, 'logSoftmax', [logits]);
  return nll(graph, record(graph, 'logSoftmax', [from], newTensor(from.shape, from.elementType)), labels);
}

/** `nll_loss` of `[rows, classes]` log-probabilities against `[rows]` labels. */
export function nll(graph: GraphBuilder, logProbabilities: Tensor, labels: Tensor): Tensor {
  const [from = logProbabilities] = underAutocast(graph, 'nllLoss', [logProbabilities]);
  const scalar = (): Tensor => newTensor([], from.elementType);
  return record(graph, 'nllLoss', [from, labels], scalar(), scalar());
}

function loss(graph: GraphBuilder, name: OperationName, input: Tensor, target: Tensor): Tensor {
  const [from = input, to = target] = underAutocast(graph, name, [input, target]);
  return record(graph, name, [from, to], newTensor([], from.elementType));
}
