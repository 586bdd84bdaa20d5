import { runDecoder } from '../blocks/decoder.ts';
import { commonMasks, windowSetting } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { rotaryTables } from '../blocks/rotary.ts';
import { rotaryAttention } from '../blocks/rotaryAttention.ts';
import { normedHeads } from '../blocks/selfAttention.ts';
import { hasExperts, sparseMlp } from '../blocks/sparseMlp.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { flagSetting, listSetting, numberSetting } from '../settings.ts';

/** Qwen3 with a mixture of experts in place of some or all MLPs. */
export const family: Family = {
  name: 'qwen3-moe',
  label: 'Qwen3-MoE',
  dividedSettings: ['moe_intermediate_size'],
  configs: [
    {
      name: 'Qwen3MoeConfig',
      library: 'transformers',
      modelType: 'qwen3_moe',
      arguments: { ...gatedDecoderArguments, bias: 'attention_bias' },
      aliases: { num_experts: 'num_local_experts' },
      defaults: {
        num_hidden_layers: 24,
        hidden_size: 2048,
        num_attention_heads: 32,
        num_key_value_heads: 4,
        head_dim: null,
        intermediate_size: 6144,
        vocab_size: 151936,
        max_position_embeddings: 32768,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: {
        num_local_experts: 128,
        num_experts_per_tok: 8,
        moe_intermediate_size: 768,
        norm_topk_prob: false,
        decoder_sparse_step: 1,
        mlp_only_layers: [],
        use_sliding_window: false,
        sliding_window: null,
      },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const hasWindow = flagSetting(model, 'use_sliding_window', false);
    const masks = commonMasks(builder, hasWindow ? windowSetting(model) : null);
    const experts = {
      experts: numberSetting(model, 'num_local_experts', 128),
      chosen: numberSetting(model, 'num_experts_per_tok', 8),
      feedForward: numberSetting(model, 'moe_intermediate_size', 768),
      scaledToOne: flagSetting(model, 'norm_topk_prob', false),
      inTokensType: true,
    };
    const isSparse = (index: number): boolean =>
      hasExperts(index, numberSetting(model, 'decoder_sparse_step', 1), listSetting(model, 'mlp_only_layers', []));
    runDecoder(builder, model, {
      kind: (index) => (isSparse(index) ? 'sparse' : 'dense'),
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => {
            const heads = normedHeads(graph, model, run, hidden, (each) => llamaNorm(graph, run, each));
            return rotaryAttention(graph, model, run, heads, rotary, { mask: masks.of(index), outputBias: model.bias });
          },
          mlp: (hidden) =>
            isSparse(index) ? sparseMlp(graph, model, hidden, experts) : gatedMlp(graph, model, hidden),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};
