import type { ModelShape, RunShape } from '../../budget/account.ts';
import { dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { commonMasks, windowSetting } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { dropoutOf } from '../settings.ts';

/** Llama's attention with biases, between LayerNorms, and an MLP of two matrices. */
export const family: Family = {
  name: 'starcoder2',
  label: 'StarCoder2',
  configs: [
    {
      name: 'Starcoder2Config',
      library: 'transformers',
      modelType: 'starcoder2',
      arguments: { ...gatedDecoderArguments, bias: 'use_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 30,
        hidden_size: 3072,
        num_attention_heads: 24,
        num_key_value_heads: 2,
        head_dim: null,
        intermediate_size: 12288,
        vocab_size: 49152,
        max_position_embeddings: 4096,
        hidden_act: 'gelu_pytorch_tanh',
        tie_word_embeddings: true,
        use_bias: true,
        residual_dropout: 0,
        attention_dropout: 0,
        embedding_dropout: 0,
      },
      fixed: {},
      dropout: ['residual_dropout', 'attention_dropout', 'embedding_dropout'],
      settings: { sliding_window: null },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = commonMasks(builder, windowSetting(model));
    const dropped = (graph: GraphBuilder, hidden: Tensor): Tensor =>
      dropout(graph, hidden, dropoutOf(model, run, 'residual_dropout'));
    runDecoder(builder, model, {
      kind: masks.kind,
      embedded: (graph, words) => dropout(graph, words, dropoutOf(model, run, 'embedding_dropout')),
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => layerNorm(graph, hidden, true),
          attention: (hidden) => dropped(graph, attention(graph, model, run, hidden, rotary, masks.of(index))),
          mlp: (hidden) => dropped(graph, plainMlp(graph, model, hidden, model.bias, { up: 'c_fc', down: 'c_proj' })),
        }),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  rotary: RotaryTables,
  mask: Tensor | undefined,
): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const query = rotated(graph, heads.query, rotary);
  const key = rotated(graph, heads.key, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', {
      mask,
      dropout: dropoutOf(model, run, 'attention_dropout'),
    }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
