import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore, type Heads } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { layerMasks, windowSetting } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { rotaryTables, rotated } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { flagSetting, listSetting, numberSetting } from '../settings.ts';

/** Llama without rotary positions in every fourth layer. */
export const family: Family = {
  name: 'smollm3',
  label: 'SmolLM3',
  configs: [
    {
      name: 'SmolLM3Config',
      library: 'transformers',
      modelType: 'smollm3',
      arguments: {
        ...gatedDecoderArguments,
        bias: 'attention_bias',
        outputBias: 'attention_bias',
        feedForwardBias: 'mlp_bias',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 36,
        hidden_size: 2048,
        num_attention_heads: 16,
        num_key_value_heads: 4,
        head_dim: null,
        intermediate_size: 11008,
        vocab_size: 128256,
        max_position_embeddings: 32768,
        hidden_act: 'silu',
        tie_word_embeddings: true,
        attention_bias: false,
        mlp_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: {
        no_rope_layer_interval: 4,
        no_rope_layers: null,
        use_sliding_window: false,
        sliding_window: null,
        layer_types: null,
      },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const window = flagSetting(model, 'use_sliding_window', false) ? windowSetting(model) : null;
    const masks = layerMasks(builder, model, window, (index) => window !== null && !isRotated(model, index));
    runDecoder(builder, model, {
      kind: (index) => `${masks.kind(index)}${isRotated(model, index) ? '' : ', no rotary positions'}`,
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => {
            const { query, key, value } = projectedHeads(graph, model, run, hidden);
            const turned = (each: Tensor): Tensor => (isRotated(model, index) ? rotated(graph, each, rotary) : each);
            return attention(graph, model, run, { query: turned(query), key: turned(key), value }, masks.of(index));
          },
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

/** `no_rope_layers` has a 1 for each layer that does have rotary positions. */
function isRotated(model: ModelShape, index: number): boolean {
  const said = listSetting(model, 'no_rope_layers', [])[index];
  return said === undefined ? (index + 1) % numberSetting(model, 'no_rope_layer_interval', 4) !== 0 : said === 1;
}

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  heads: Heads,
  mask: Tensor | undefined,
): Tensor {
  const core = graph.within('attention-scores', () => attentionCore(graph, run, heads, 'fp32', { mask }));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.outputBias === true, 'o_proj');
}
