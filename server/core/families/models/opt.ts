import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { plainLayerNorm } from '../../graph/norms.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { preNormLayer, type Sublayers } from '../blocks/preNormLayer.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting } from '../settings.ts';

/** GPT-2 with separate projections and a ReLU. OPT-350m has its norms after the sublayers, and narrower embeddings. */
export const family: Family = {
  name: 'opt',
  label: 'OPT',
  configs: [
    {
      name: 'OPTConfig',
      library: 'transformers',
      modelType: 'opt',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        feedForward: 'ffn_dim',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'activation_function',
        tiedEmbeddings: 'tie_word_embeddings',
        bias: 'enable_bias',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 12,
        hidden_size: 768,
        num_attention_heads: 12,
        ffn_dim: 3072,
        vocab_size: 50272,
        max_position_embeddings: 2048,
        activation_function: 'relu',
        tie_word_embeddings: true,
        enable_bias: true,
        dropout: 0.1,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['dropout', 'attention_dropout'],
      settings: {
        do_layer_norm_before: true,
        _remove_final_layer_norm: false,
        layer_norm_elementwise_affine: true,
        word_embed_proj_dim: null,
      },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    builder.share(newTensor([run.batch, run.sequence], 'int64'));
    const width = numberSetting(model, 'word_embed_proj_dim', model.hidden);
    const project = (graph: GraphBuilder, input: Tensor, outputs: number, name: string): Tensor =>
      width === model.hidden ? input : linear(graph, input, outputs, false, name);
    const hasFinalNorm = normsFirst(model) && !flagSetting(model, '_remove_final_layer_norm', false);
    runDecoder(builder, model, {
      names: { embeddings: 'model.decoder.embed_tokens', layers: 'model.decoder.layers' },
      embeddingWidth: width,
      embedded: (graph, words) => {
        // Two rows of the table stand before the first position.
        const table = parameter(graph, model.maximumSequence + 2, model.hidden);
        const places = embedding(graph, newTensor([run.batch, run.sequence], 'int64'), table);
        return add(graph, project(graph, words, model.hidden, 'project_in'), places);
      },
      layer: (graph, input) => {
        const sublayers: Sublayers = {
          norm: (hidden) => norm(graph, model, hidden),
          attention: (hidden) => attention(graph, model, run, hidden),
          mlp: (hidden) => mlp(graph, model, run, hidden),
        };
        return normsFirst(model) ? preNormLayer(graph, input, sublayers) : postNormLayer(graph, input, sublayers);
      },
      finalNorm: (graph, input) =>
        project(graph, hasFinalNorm ? norm(graph, model, input) : input, width, 'project_out'),
    });
  },

  problem: undividedHeadsProblem,
};

const normsFirst = (model: ModelShape): boolean => flagSetting(model, 'do_layer_norm_before', true);

const norm = (graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor =>
  flagSetting(model, 'layer_norm_elementwise_affine', true)
    ? layerNorm(graph, input, true)
    : plainLayerNorm(graph, input);

function postNormLayer(graph: GraphBuilder, input: Tensor, sublayers: Sublayers): Tensor {
  const normed = (hidden: Tensor): Tensor => graph.within('norms', () => sublayers.norm(hidden));
  const attended = normed(graph.within('attention-rest', () => add(graph, input, sublayers.attention(input))));
  return normed(graph.within('mlp', () => add(graph, attended, sublayers.mlp(attended))));
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const projected = (name: string): Tensor => linear(graph, input, model.heads * model.headDimension, model.bias, name);
  const heads = (each: Tensor): Tensor => asHeads(graph, run, each, model.headDimension);
  const query = heads(scale(graph, projected('q_proj')));
  const [key, value] = [heads(projected('k_proj')), heads(projected('v_proj'))];
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value }, 'fp32', { dropout: dropoutOf(model, run, 'attention_dropout') }),
  );
  const output = linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'out_proj');
  return dropout(graph, output, dropoutOf(model, run, 'dropout'));
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const output = plainMlp(graph, model, input, model.bias, { up: 'fc1', down: 'fc2' });
  return dropout(graph, output, dropoutOf(model, run, 'dropout'));
}
