import type { ModelShape, RunShape } from '../budget/account.ts';
import { add, addScalar, dropout, gelu, multiply, power, relu, scale, silu, tanh } from '../graph/elementwise.ts';
import type { GraphBuilder } from '../graph/graph.ts';
import { embedding, linear, linearWith, parameter } from '../graph/products.ts';
import { layerNorm } from '../graph/reductions.ts';
import { split, transpose, view } from '../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../graph/tensor.ts';
import { attentionCore, causalMask } from './attention.ts';
import type { FamilyTemplate } from './template.ts';

/** GPT-2 as transformers and nanoGPT have it: learned positions, LayerNorm, one fused qkv projection, two-matrix MLP. */
export const gpt2: FamilyTemplate = {
  shared: (_graph, _model, run) => causalMask(run),

  embed(graph, model, run, ids) {
    const positions = newTensor([1, run.sequence], 'int64');
    const tokens = embedding(graph, ids, parameter(graph, model.vocabulary, model.hidden));
    const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
    return dropout(graph, add(graph, tokens, places), run.dropout);
  },

  layer(graph, model, run, input) {
    const attended = attention(
      graph,
      model,
      run,
      graph.within('norms', () => layerNorm(graph, input, model.bias)),
    );
    const residual = graph.within('attention-rest', () => add(graph, attended, input));
    const fed = mlp(
      graph,
      model,
      run,
      graph.within('norms', () => layerNorm(graph, residual, model.bias)),
    );
    return graph.within('mlp', () => add(graph, residual, fed));
  },

  head(graph, model, _run, input) {
    const normed = layerNorm(graph, input, model.bias);
    return linearWith(graph, normed, parameter(graph, model.vocabulary, model.hidden));
  },

  problem: (model) =>
    model.heads * model.headDimension === model.hidden
      ? undefined
      : `${model.hidden} hidden units do not divide into ${model.heads} heads`,
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('attention-rest', () => {
    const projected = linear(graph, input, 3 * model.hidden, model.bias);
    const [query, key, value] = split(graph, projected, 3).map((each) =>
      transpose(graph, view(graph, each, [run.batch, run.sequence, model.heads, model.headDimension]), 1, 2),
    );
    if (!query || !key || !value) return input;
    const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, undefined));
    const joined = view(graph, transpose(graph, core, 1, 2), [run.batch, run.sequence, model.hidden]);
    return dropout(graph, linear(graph, joined, model.hidden, model.bias), run.dropout);
  });
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const wide = activation(graph, model, linear(graph, input, model.feedForward, model.bias));
    return dropout(graph, linear(graph, wide, size(input, -1), model.bias), run.dropout);
  });
}

/** `gelu_new` is written out in Python, and each of its steps keeps what it needs; the others are one operation. */
function activation(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  if (model.activation === 'gelu') return gelu(graph, input);
  if (model.activation === 'relu') return relu(graph, input);
  if (model.activation === 'silu') return silu(graph, input);
  const half = scale(graph, input);
  const inner = scale(graph, add(graph, input, scale(graph, power(graph, input))));
  return multiply(graph, half, addScalar(graph, tanh(graph, inner)));
}
