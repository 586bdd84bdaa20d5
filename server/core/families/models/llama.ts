import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, linearWith, parameter } from '../../graph/products.ts';
import { nextTokenLoss } from '../../graph/reductions.ts';
import { transpose, view } from '../../graph/shapes.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore, causalMask } from '../blocks/attention.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';

/** Llama, Mistral, Qwen2 and their like: RMSNorm, rotary positions, grouped key/value heads, gated MLP, no dropout but in attention. */
export const family: Family = {
  name: 'llama',
  label: 'Llama',
  configs: [
    {
      name: 'LlamaConfig',
      library: 'transformers',
      modelType: 'llama',
      arguments: {
        ...gatedDecoderArguments,
        bias: 'attention_bias',
        outputBias: 'attention_bias',
        feedForwardBias: 'mlp_bias',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: null,
        head_dim: null,
        intermediate_size: 11008,
        vocab_size: 32000,
        max_position_embeddings: 2048,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        mlp_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
    },
    {
      name: 'MistralConfig',
      library: 'transformers',
      modelType: 'mistral',
      arguments: gatedDecoderArguments,
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: 8,
        head_dim: null,
        intermediate_size: 14336,
        vocab_size: 32000,
        max_position_embeddings: 131072,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_dropout: 0,
      },
      fixed: { bias: false, outputBias: false, feedForwardBias: false },
      dropout: ['attention_dropout'],
    },
    {
      name: 'Qwen2Config',
      library: 'transformers',
      modelType: 'qwen2',
      arguments: gatedDecoderArguments,
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: 32,
        head_dim: null,
        intermediate_size: 22016,
        vocab_size: 151936,
        max_position_embeddings: 32768,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_dropout: 0,
      },
      // Query, key and value projections have a bias in every Qwen2; the output projection and the MLP have none.
      fixed: { bias: true, outputBias: false, feedForwardBias: false },
      dropout: ['attention_dropout'],
    },
  ],

  forward(builder, model, run) {
    const ids = builder.input([run.batch, run.sequence]);
    const words = builder.weight(model.vocabulary, model.hidden);
    const rotary = rotaryTables(builder, model.headDimension);
    for (const mask of causalMask(run)) builder.share(mask);
    const embedded = builder.outside('model.embed_tokens', ids, (graph) => embedding(graph, ids, words));
    const hidden = builder.layers({
      name: 'model.layers',
      count: model.layers,
      input: embedded,
      layer: (graph, input) => decoderLayer(graph, model, run, input, rotary),
    });
    builder.outside('lm_head', hidden, (graph, input) => {
      const head = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, model.hidden);
      return nextTokenLoss(graph, linearWith(graph, llamaNorm(graph, input), head), ids);
    });
  },

  problem(model) {
    if (model.heads % model.keyValueHeads !== 0) {
      return `${model.heads} query heads do not divide into ${model.keyValueHeads} key/value heads`;
    }
    return model.headDimension % 2 === 0
      ? undefined
      : `rotary positions need an even head dimension, not ${model.headDimension}`;
  },
};

function decoderLayer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  rotary: RotaryTables,
): Tensor {
  const attended = attention(
    graph,
    model,
    run,
    graph.within('norms', () => llamaNorm(graph, input)),
    rotary,
  );
  const residual = graph.within('attention-rest', () => add(graph, input, attended));
  const fed = gatedMlp(
    graph,
    model,
    graph.within('norms', () => llamaNorm(graph, residual)),
  );
  return graph.within('mlp', () => add(graph, residual, fed));
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  return graph.within('attention-rest', () => {
    const heads = (name: string, count: number): Tensor => {
      const projected = linear(graph, input, count * model.headDimension, model.bias, name);
      return transpose(graph, view(graph, projected, [run.batch, run.sequence, count, model.headDimension]), 1, 2);
    };
    const [plainQuery, plainKey, value] = [
      heads('q_proj', model.heads),
      heads('k_proj', model.keyValueHeads),
      heads('v_proj', model.keyValueHeads),
    ];
    const query = rotated(graph, plainQuery, rotary);
    const key = rotated(graph, plainKey, rotary);
    const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, 'fp32'));
    const joined = view(graph, transpose(graph, core, 1, 2), [
      run.batch,
      run.sequence,
      model.heads * model.headDimension,
    ]);
    return linear(graph, joined, model.hidden, model.outputBias === true, 'o_proj');
  });
}
