import { underAutocast } from './autocast.ts';
import { absolute, add, divide, fullPrecision, maskedFill, multiply, negate, scale, subtract } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { compare } from './indexing.ts';
import type { OperationName } from './operations.ts';
import { record } from './record.ts';
import { mean, sum } from './reductions.ts';
import { newTensor, type Tensor } from './tensor.ts';

/** Means over all elements of `input` against a target of the same shape. */
export const squaredError = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'squaredError', input, target);
export const smoothAbsoluteError = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'smoothAbsoluteError', input, target);
export const huberLoss = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'huberLoss', input, target);
/** `l1_loss`: the absolute difference, written out by torch. */
export function absoluteError(graph: GraphBuilder, input: Tensor, target: Tensor): Tensor {
  const difference = subtract(graph, fullPrecision(graph, input), fullPrecision(graph, target));
  return mean(graph, absolute(graph, difference), every(difference));
}

/** `kl_div` of log-probabilities against probabilities. */
export function divergence(graph: GraphBuilder, input: Tensor, target: Tensor): Tensor {
  const [from, to] = [fullPrecision(graph, input), fullPrecision(graph, target)];
  const entropy = record(graph, 'timesLogarithm', [to, to], newTensor(to.shape, to.elementType));
  const difference = subtract(graph, entropy, multiply(graph, to, from));
  return scale(graph, sum(graph, difference, every(difference)));
}

/** Of probabilities; autocast refuses it. */
export const binaryCrossEntropy = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'binaryCrossEntropy', input, target);
export const binaryCrossEntropyWithLogits = (graph: GraphBuilder, input: Tensor, target: Tensor): Tensor =>
  loss(graph, 'binaryCrossEntropyWithLogits', input, target);

/** `cross_entropy` of `[rows, classes]` against `[rows]` labels. */
export function crossEntropy(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  graph.locals.push(logits);
  return nll(graph, ofLogits(graph, logits), labels);
}

/** The same with `label_smoothing`, where what every class adds is summed up, cut to the rows that count, and averaged. */
export function smoothedCrossEntropy(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  const logProbabilities = ofLogits(graph, logits);
  const likely = nll(graph, logProbabilities, labels);
  const perRow = negate(graph, sum(graph, logProbabilities, [-1]));
  const counted = maskedFill(graph, perRow, compare(graph, labels));
  const even = divide(graph, sum(graph, counted, [0]), newTensor([], 'int64'));
  return add(graph, scale(graph, likely), scale(graph, even));
}

/** `nll_loss` of `[rows, classes]` log-probabilities against `[rows]` labels. */
export function nll(graph: GraphBuilder, logProbabilities: Tensor, labels: Tensor): Tensor {
  const [from = logProbabilities] = underAutocast(graph, 'nllLoss', [logProbabilities]);
  const scalar = (): Tensor => newTensor([], from.elementType);
  return record(graph, 'nllLoss', [from, labels], scalar(), scalar());
}

/** `cross_entropy` asks `log_softmax` for the logits' own type, which autocast leaves alone; `nll_loss` it lifts to fp32. */
const ofLogits = (graph: GraphBuilder, logits: Tensor): Tensor =>
  record(graph, 'logSoftmax', [logits], newTensor(logits.shape, logits.elementType));

function loss(graph: GraphBuilder, name: OperationName, input: Tensor, target: Tensor): Tensor {
  const [from = input, to = target] = underAutocast(graph, name, [input, target]);
  return record(graph, name, [from, to], newTensor([], from.elementType));
}

const every = ({ shape }: Tensor): readonly number[] => shape.map((_, i) => i);
