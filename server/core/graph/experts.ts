import { cast, divide, multiply } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { floorDivide, index, sort, topk } from './indexing.ts';
import { linearWith, parameter } from './products.ts';
import { record } from './record.ts';
import { softmax, sum } from './reductions.ts';
import { split, transpose, view } from './shapes.ts';
import { newTensor, size, type Tensor } from './tensor.ts';
import { withNewDimension } from './views.ts';

/** Which experts each token goes to, and with what weight: `[tokens, chosen]` each. */
export interface Routing {
  readonly weights: Tensor;
  readonly experts: Tensor;
}

export interface Router {
  readonly experts: number;
  /** How many of them each token goes to. */
  readonly chosen: number;
  /** The chosen weights are scaled to sum to 1, as Mixtral does. */
  readonly scaledToOne: boolean;
  /** The weights go on in the tokens' own type, as in Qwen3, and not in fp32. */
  readonly inTokensType: boolean;
}

/** Softmax of a linear layer in fp32 and the largest of it, for `[tokens, hidden]`. */
export function routeTokens(graph: GraphBuilder, tokens: Tensor, router: Router): Routing {
  const logits = linearWith(graph, tokens, parameter(graph, router.experts, size(tokens, -1)));
  const [largest, experts] = topk(graph, softmax(graph, logits, 'fp32'), router.chosen);
  const scaled = router.scaledToOne ? divide(graph, largest, sum(graph, largest, [-1], true)) : largest;
  return { weights: router.inTokensType ? cast(graph, scaled, logits.elementType) : scaled, experts };
}

/**
 * Gated experts over `[tokens, hidden]` as transformers runs them since version 5: rows sorted by expert, one grouped
 * product for all gates and ups, one for all downs, then each token's rows added up. How tokens spread over the experts
 * does not matter to memory.
 */
export function groupedExperts(
  graph: GraphBuilder,
  tokens: Tensor,
  routing: Routing,
  experts: number,
  feedForward: number,
  activation: (graph: GraphBuilder, input: Tensor) => Tensor,
): Tensor {
  const [count, hidden, chosen] = [size(tokens, 0), size(tokens, 1), size(routing.experts, 1)];
  const [, order] = sort(graph, view(graph, routing.experts, [-1]));
  const sources = floorDivide(graph, order);
  const rows = index(graph, tokens, sources);
  const rowWeights = index(graph, view(graph, routing.weights, [-1]), order);
  const ends = newTensor([experts], 'int32');
  const upward = transpose(graph, parameter(graph, experts, 2 * feedForward, hidden), -2, -1);
  const [gate = rows, up = rows] = split(graph, groupedProduct(graph, rows, upward, ends), 2);
  const gated = multiply(graph, activation(graph, gate), up);
  const down = transpose(graph, parameter(graph, experts, hidden, feedForward), -2, -1);
  const results = groupedProduct(graph, gated, down, ends);
  const weightColumn = record(graph, 'view', [rowWeights], withNewDimension(rowWeights, 1));
  const weighted = multiply(graph, results, weightColumn);
  const restored = index(graph, weighted, newTensor(order.shape, 'int64'));
  const perToken = view(graph, restored, [count, chosen, hidden]);
  return cast(graph, sum(graph, perToken, [1]), tokens.elementType);
}

/** Rows sorted by group, each group times a matrix of its own. `matrices` is `[groups, inner, outer]`; `ends` int32. */
export function groupedProduct(graph: GraphBuilder, rows: Tensor, matrices: Tensor, ends: Tensor): Tensor {
  const from = cast(graph, rows, matrices.elementType);
  const shape = [size(from, 0), size(matrices, -1)];
  return record(graph, 'groupedProduct', [from, matrices, ends], newTensor(shape, from.elementType));
}
