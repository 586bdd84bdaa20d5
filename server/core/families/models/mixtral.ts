import { runDecoder } from '../blocks/decoder.ts';
import { commonMasks, windowSetting } from '../blocks/masks.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { rotaryTables } from '../blocks/rotary.ts';
import { rotaryAttention } from '../blocks/rotaryAttention.ts';
import { projectedHeads } from '../blocks/selfAttention.ts';
import { sparseMlp } from '../blocks/sparseMlp.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { numberSetting } from '../settings.ts';

/** Mistral with a mixture of experts in place of each MLP. */
export const family: Family = {
  name: 'mixtral',
  label: 'Mixtral',
  configs: [
    {
      name: 'MixtralConfig',
      library: 'transformers',
      modelType: 'mixtral',
      arguments: gatedDecoderArguments,
      aliases: { num_experts: 'num_local_experts' },
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
      fixed: { bias: false },
      dropout: ['attention_dropout'],
      settings: { num_local_experts: 8, num_experts_per_tok: 2, sliding_window: null },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = commonMasks(builder, windowSetting(model));
    const experts = {
      experts: numberSetting(model, 'num_local_experts', 8),
      chosen: numberSetting(model, 'num_experts_per_tok', 2),
      feedForward: model.feedForward,
      scaledToOne: true,
      inTokensType: false,
    };
    runDecoder(builder, model, {
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) =>
            rotaryAttention(graph, model, run, projectedHeads(graph, model, run, hidden), rotary, {
              mask: masks.of(index),
              outputBias: false,
            }),
          mlp: (hidden) => sparseMlp(graph, model, hidden, experts),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};
