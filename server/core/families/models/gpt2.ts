import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { split } from '../../graph/shapes.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf } from '../settings.ts';

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
    causalMask(builder);
    runDecoder(builder, model, {
      names: { embeddings: 'transformer.wte', layers: 'transformer.h' },
      embedded: (graph, words) => {
        const positions = newTensor([1, run.sequence], 'int64');
        const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
        return dropout(graph, add(graph, words, places), dropoutOf(model, run, 'embd_pdrop'));
      },
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => layerNorm(graph, hidden, model.bias),
          attention: (hidden) => attention(graph, model, run, hidden),
          mlp: (hidden) => mlp(graph, model, run, hidden),
        }),
      finalNorm: (graph, input) => layerNorm(graph, input, model.bias),
    });
  },

  problem: undividedHeadsProblem,
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const projected = linear(graph, input, 3 * model.heads * model.headDimension, model.bias, 'c_attn');
  const [query, key, value] = split(graph, projected, 3).map((each) => asHeads(graph, run, each, model.headDimension));
  if (!query || !key || !value) return input;
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value }, undefined, { dropout: dropoutOf(model, run, 'attn_pdrop') }),
  );
  const output = linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'c_proj');
  return dropout(graph, output, dropoutOf(model, run, 'resid_pdrop'));
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const output = plainMlp(graph, model, input, model.bias, { up: 'c_fc', down: 'c_proj' });
  return dropout(graph, output, dropoutOf(model, run, 'resid_pdrop'));
}
