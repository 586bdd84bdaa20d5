import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { split, splitInto } from '../../graph/shapes.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { attentionCore, type Heads } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting } from '../settings.ts';

/** StarCoder and SantaCoder: GPT-2 whose query heads share one key/value head, beside them in one projection. */
export const family: Family = {
  name: 'gpt-bigcode',
  label: 'GPTBigCode',
  configs: [
    {
      name: 'GPTBigCodeConfig',
      library: 'transformers',
      modelType: 'gpt_bigcode',
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
        activation_function: 'gelu_pytorch_tanh',
        tie_word_embeddings: true,
        resid_pdrop: 0.1,
        embd_pdrop: 0.1,
        attn_pdrop: 0.1,
      },
      fixed: { bias: true },
      dropout: ['resid_pdrop', 'embd_pdrop', 'attn_pdrop'],
      settings: { multi_query: true },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const dropped = (graph: GraphBuilder, hidden: Tensor): Tensor =>
      dropout(graph, hidden, dropoutOf(model, run, 'resid_pdrop'));
    runDecoder(builder, model, {
      names: { embeddings: 'transformer.wte', layers: 'transformer.h' },
      embedded: (graph, words) => {
        const table = parameter(graph, model.maximumSequence, model.hidden);
        const places = embedding(graph, newTensor([1, run.sequence], 'int64'), table);
        return dropout(graph, add(graph, words, places), dropoutOf(model, run, 'embd_pdrop'));
      },
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => layerNorm(graph, hidden, true),
          attention: (hidden) => dropped(graph, attention(graph, model, run, hidden)),
          mlp: (hidden) => dropped(graph, plainMlp(graph, model, hidden, true, { up: 'c_fc', down: 'c_proj' })),
        }),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
    });
  },

  problem: undividedHeadsProblem,
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const heads = flagSetting(model, 'multi_query', true)
    ? oneKeyAndValue(graph, model, run, input)
    : triples(graph, model, run, input);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, heads, 'fp32', { dropout: dropoutOf(model, run, 'attn_pdrop') }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'c_proj');
}

function oneKeyAndValue(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Heads {
  const width = model.headDimension;
  const queries = model.heads * width;
  const projected = linear(graph, input, queries + 2 * width, true, 'c_attn');
  const parts = splitInto(graph, projected, [queries, width, width]);
  const [query = projected, key = projected, value = projected] = parts.map((each) => asHeads(graph, run, each, width));
  return { query, key, value };
}

/** Queries, keys and values of a head beside one another. */
function triples(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Heads {
  const projected = linear(graph, input, 3 * model.heads * model.headDimension, true, 'c_attn');
  const heads = asHeads(graph, run, projected, 3 * model.headDimension);
  const [query = heads, key = heads, value = heads] = split(graph, heads, 3);
  return { query, key, value };
}
