import type { ModelShape, RunShape } from '../budget/account.ts';
import { add, addScalar, cast, gelu, multiply, negate, power, relu, rsqrt, silu } from '../graph/elementwise.ts';
import type { GraphBuilder } from '../graph/graph.ts';
import { embedding, linear, linearWith, parameter } from '../graph/products.ts';
import { meanOfLast } from '../graph/reductions.ts';
import { concatenate, slice, transpose, view } from '../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../graph/tensor.ts';
import { attentionCore, causalMask } from './attention.ts';
import type { FamilyTemplate } from './template.ts';

/** Llama, Mistral, Qwen2 and their like: RMSNorm, rotary positions, grouped key/value heads, gated MLP, no dropout but in attention. */
export const llama: FamilyTemplate = {
  /** Cosines and sines of the rotary positions, in the type of the hidden states; the positions themselves; the mask. */
  shared(graph, model, run) {
    const table = () =>
      newTensor([1, 1, run.sequence, model.headDimension], graph.precision.weights, { role: 'shared' });
    return [table(), table(), newTensor([1, run.sequence], 'int64', { role: 'shared' }), ...causalMask(run)];
  },

  embed: (graph, model, _run, ids) => embedding(graph, ids, parameter(graph, model.vocabulary, model.hidden)),

  layer(graph, model, run, input, rotary) {
    const attended = attention(
      graph,
      model,
      run,
      graph.within('norms', () => rmsNorm(graph, input)),
      rotary,
    );
    const residual = graph.within('attention-rest', () => add(graph, input, attended));
    const fed = gatedMlp(
      graph,
      model,
      graph.within('norms', () => rmsNorm(graph, residual)),
    );
    return graph.within('mlp', () => add(graph, residual, fed));
  },

  head: (graph, model, _run, input) =>
    linearWith(graph, rmsNorm(graph, input), parameter(graph, model.vocabulary, model.hidden)),

  problem(model) {
    if (model.heads % model.keyValueHeads !== 0) {
      return `${model.heads} query heads do not divide into ${model.keyValueHeads} key/value heads`;
    }
    return model.headDimension % 2 === 0
      ? undefined
      : `rotary positions need an even head dimension, not ${model.headDimension}`;
  },
};

/** Computed in fp32 whatever the input, then scaled by the weight in the input's own type. */
function rmsNorm(graph: GraphBuilder, input: Tensor): Tensor {
  const wide = cast(graph, input, 'fp32');
  const meanSquare = meanOfLast(graph, power(graph, wide));
  const normed = multiply(graph, wide, rsqrt(graph, addScalar(graph, meanSquare)));
  return multiply(graph, parameter(graph, size(input, -1)), cast(graph, normed, input.elementType));
}

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  [cosine, sine]: readonly Tensor[],
): Tensor {
  return graph.within('attention-rest', () => {
    const heads = (count: number): Tensor => {
      const projected = linear(graph, input, count * model.headDimension, model.bias);
      return transpose(graph, view(graph, projected, [run.batch, run.sequence, count, model.headDimension]), 1, 2);
    };
    const [plainQuery, plainKey, value] = [heads(model.heads), heads(model.keyValueHeads), heads(model.keyValueHeads)];
    if (!cosine || !sine) return input;
    const query = rotated(graph, plainQuery, cosine, sine);
    const key = rotated(graph, plainKey, cosine, sine);
    const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, 'fp32'));
    const joined = view(graph, transpose(graph, core, 1, 2), [
      run.batch,
      run.sequence,
      model.heads * model.headDimension,
    ]);
    return linear(graph, joined, model.hidden, model.outputBias === true);
  });
}

function rotated(graph: GraphBuilder, input: Tensor, cosine: Tensor, sine: Tensor): Tensor {
  const half = size(input, -1) / 2;
  const first = slice(graph, input, -1, half);
  const turned = concatenate(graph, [negate(graph, slice(graph, input, -1, half)), first]);
  return add(graph, multiply(graph, input, cosine), multiply(graph, turned, sine));
}

function gatedMlp(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const bias = model.feedForwardBias === true;
    const gate = activation(graph, model, linear(graph, input, model.feedForward, bias));
    return linear(graph, multiply(graph, gate, linear(graph, input, model.feedForward, bias)), model.hidden, bias);
  });
}

function activation(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  if (model.activation === 'relu') return relu(graph, input);
  return model.activation === 'silu' ? silu(graph, input) : gelu(graph, input);
}
