import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { transpose, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { activated } from './activation.ts';
import { attentionCore } from './attention.ts';

/** Names of a layer's linear modules, by which adapters find them. */
export interface EncoderLinears {
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly attended: string;
  readonly up: string;
  readonly down: string;
}

export const bertLinears: EncoderLinears = {
  query: 'query',
  key: 'key',
  value: 'value',
  attended: 'dense',
  up: 'dense',
  down: 'dense',
};

/** Probabilities of a layer's dropouts: on attention weights, on what attention gives, on what the MLP gives. */
export interface EncoderDropouts {
  readonly weights: number;
  readonly attended: number;
  readonly fed: number;
}

/** BERT's layer: attention over all places, two-matrix MLP, a LayerNorm after each sum. */
export function postNormLayer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  linears: EncoderLinears,
  dropouts: EncoderDropouts,
): Tensor {
  const attended = graph.within('attention-rest', () => {
    const projected = selfAttention(graph, model, run, input, linears, dropouts.weights);
    return add(graph, dropout(graph, projected, dropouts.attended), input);
  });
  const middle = graph.within('norms', () => layerNorm(graph, attended, true));
  const fed = graph.within('mlp', () => {
    const wide = activated(graph, model, linear(graph, middle, model.feedForward, true, linears.up));
    const narrow = linear(graph, wide, model.hidden, true, linears.down);
    return add(graph, dropout(graph, narrow, dropouts.fed), middle);
  });
  return graph.within('norms', () => layerNorm(graph, fed, true));
}

function selfAttention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  linears: EncoderLinears,
  weightDropout: number,
): Tensor {
  const heads = (name: string): Tensor => {
    const projected = linear(graph, input, model.heads * model.headDimension, true, name);
    const shape = [size(input, 0), size(input, 1), model.heads, model.headDimension];
    return transpose(graph, view(graph, projected, shape), 1, 2);
  };
  const [query, key, value] = [heads(linears.query), heads(linears.key), heads(linears.value)];
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value }, undefined, { dropout: weightDropout }),
  );
  const joined = view(graph, transpose(graph, core, 1, 2), [
    size(input, 0),
    size(input, 1),
    model.heads * model.headDimension,
  ]);
  return linear(graph, joined, model.hidden, true, linears.attended);
}
