import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, addScalar, dropout, gelu, multiply, power, relu, scale, silu, tanh } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, linearWith, parameter } from '../../graph/products.ts';
import { layerNorm, nextTokenLoss } from '../../graph/reductions.ts';
import { split, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { attentionCore, causalMask } from '../blocks/attention.ts';
import type { Family } from '../family.ts';

/** GPT-2 as transformers and nanoGPT have it: learned positions, LayerNorm, one fused qkv projection, two-matrix MLP. */
export const family: Family = {
  name: 'gpt2',
  label: 'GPT-2',
  configs: [
    {
      name: 'GPT2Config',
      library: 'transformers',
      modelType: 'gpt2',
      arguments: {
        layers: 'n_layer',
        hidden: 'n_embd',
        heads: 'n_head',
        feedForward: 'n_inner',
        vocabulary: 'vocab_size',
        maximumSequence: 'n_positions',
        activation: 'activation_function',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: {
        hidden_size: 'n_embd',
        max_position_embeddings: 'n_positions',
        num_attention_heads: 'n_head',
        num_hidden_layers: 'n_layer',
      },
      defaults: {
        n_layer: 12,
        n_embd: 768,
        n_head: 12,
        n_inner: null,
        vocab_size: 50257,
        n_positions: 1024,
        activation_function: 'gelu_new',
        tie_word_embeddings: true,
        resid_pdrop: 0.1,
        embd_pdrop: 0.1,
        attn_pdrop: 0.1,
      },
      fixed: { bias: true },
      dropout: ['resid_pdrop', 'attn_pdrop', 'embd_pdrop'],
    },
    {
      name: 'GPTConfig',
      library: 'nanoGPT',
      modelType: undefined,
      arguments: {
        layers: 'n_layer',
        hidden: 'n_embd',
        heads: 'n_head',
        vocabulary: 'vocab_size',
        maximumSequence: 'block_size',
        bias: 'bias',
      },
      aliases: {},
      defaults: {
        n_layer: 12,
        n_embd: 768,
        n_head: 12,
        vocab_size: 50304,
        block_size: 1024,
        bias: true,
        dropout: 0,
      },
      fixed: { activation: 'gelu', tiedEmbeddings: true },
      dropout: ['dropout'],
    },
  ],

  forward(builder, model, run) {
    const ids = builder.input([run.batch, run.sequence]);
    const words = builder.weight(model.vocabulary, model.hidden);
    for (const mask of causalMask(run)) builder.share(mask);
    const embedded = builder.outside('transformer.wte', ids, (graph) => {
      const positions = newTensor([1, run.sequence], 'int64');
      const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
      return dropout(graph, add(graph, embedding(graph, ids, words), places), run.dropout);
    });
    const hidden = builder.layers({
      name: 'transformer.h',
      count: model.layers,
      input: embedded,
      layer: (graph, input) => block(graph, model, run, input),
    });
    builder.outside('lm_head', hidden, (graph, input) => {
      const normed = layerNorm(graph, input, model.bias);
      const head = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, model.hidden);
      return nextTokenLoss(graph, linearWith(graph, normed, head), ids);
    });
  },

  problem: (model) =>
    model.heads * model.headDimension === model.hidden
      ? undefined
      : `${model.hidden} hidden units do not divide into ${model.heads} heads`,
};

function block(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
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
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('attention-rest', () => {
    const projected = linear(graph, input, 3 * model.hidden, model.bias, 'c_attn');
    const [query, key, value] = split(graph, projected, 3).map((each) =>
      transpose(graph, view(graph, each, [run.batch, run.sequence, model.heads, model.headDimension]), 1, 2),
    );
    if (!query || !key || !value) return input;
    const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, undefined));
    const joined = view(graph, transpose(graph, core, 1, 2), [run.batch, run.sequence, model.hidden]);
    return dropout(graph, linear(graph, joined, model.hidden, model.bias, 'c_proj'), run.dropout);
  });
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const wide = activation(graph, model, linear(graph, input, model.feedForward, model.bias, 'c_fc'));
    return dropout(graph, linear(graph, wide, size(input, -1), model.bias, 'c_proj'), run.dropout);
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
