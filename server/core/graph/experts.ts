import { inPlace } from './activations.ts';
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

/** `act(gate) · up` of experts without biases, as nearly all models have them. */
export function groupedExperts(
  graph: GraphBuilder,
  tokens: Tensor,
  routing: Routing,
  experts: number,
  feedForward: number,
  activation: (graph: GraphBuilder, input: Tensor) => Tensor,
): Tensor {
  return gatedExperts(graph, tokens, routing, { experts, feedForward, biases: false }, (builder, projected) => {
    const [gate = projected, up = projected] = split(builder, projected, 2);
    return multiply(builder, activation(builder, gate), up);
  });
}

/**
 * Gated experts over `[tokens, hidden]` as transformers runs them since version 5: rows sorted by expert, one grouped
 * product for all gates and ups, one for all downs, then each token's rows added up. How tokens spread over the experts
 * does not matter to memory. `gated` makes one half out of gates and ups; biases are added in place.
 */
export function gatedExperts(
  graph: GraphBuilder,
  tokens: Tensor,
  routing: Routing,
  sizes: { readonly experts: number; readonly feedForward: number; readonly biases: boolean },
  gated: (graph: GraphBuilder, projected: Tensor) => Tensor,
): Tensor {
  const { experts, feedForward } = sizes;
  const [count, hidden, chosen] = [size(tokens, 0), size(tokens, 1), size(routing.experts, 1)];
  const [sorted, order] = sort(graph, view(graph, routing.experts, [-1]));
  const sources = floorDivide(graph, order);
  const rows = index(graph, tokens, sources);
  const rowWeights = index(graph, view(graph, routing.weights, [-1]), order);
  const ends = newTensor([experts], 'int32');
  const product = (from: Tensor, width: number): Tensor => {
    const bias = sizes.biases ? index(graph, parameter(graph, experts, width), sorted) : undefined;
    const matrices = transpose(graph, parameter(graph, experts, width, size(from, 1)), -2, -1);
    const result = groupedProduct(graph, from, matrices, ends);
    return bias ? inPlace.add(graph, result, bias) : result;
  };
  const results = product(gated(graph, product(rows, 2 * feedForward)), hidden);
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
