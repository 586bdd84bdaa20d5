import { runDecoder } from '../blocks/decoder.ts';
import { switchedMasks, windowSwitch } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { rotaryTables } from '../blocks/rotary.ts';
import { rotaryAttention } from '../blocks/rotaryAttention.ts';
import { projectedHeads } from '../blocks/selfAttention.ts';
import { hasExperts, sparseMlp } from '../blocks/sparseMlp.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { flagSetting, listSetting, numberSetting } from '../settings.ts';

/** Qwen2 with a mixture of experts and one expert for all tokens behind a gate. */
export const family: Family = {
  name: 'qwen2-moe',
  label: 'Qwen2-MoE',
  dividedSettings: ['moe_intermediate_size', 'shared_expert_intermediate_size'],
  configs: [
    {
      name: 'Qwen2MoeConfig',
      library: 'transformers',
      modelType: 'qwen2_moe',
      arguments: { ...gatedDecoderArguments, bias: 'qkv_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 24,
        hidden_size: 2048,
        num_attention_heads: 16,
        num_key_value_heads: 16,
        head_dim: null,
        intermediate_size: 5632,
        vocab_size: 151936,
        max_position_embeddings: 32768,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        qkv_bias: true,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: {
        num_experts: 60,
        num_experts_per_tok: 4,
        moe_intermediate_size: 1408,
        shared_expert_intermediate_size: 5632,
        norm_topk_prob: false,
        decoder_sparse_step: 1,
        mlp_only_layers: [],
        ...windowSwitch,
      },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = switchedMasks(builder, model);
    const experts = {
      experts: numberSetting(model, 'num_experts', 60),
      chosen: numberSetting(model, 'num_experts_per_tok', 4),
      feedForward: numberSetting(model, 'moe_intermediate_size', 1408),
      scaledToOne: flagSetting(model, 'norm_topk_prob', false),
      inTokensType: true,
      gatedShared: numberSetting(model, 'shared_expert_intermediate_size', 5632),
    };
    const isSparse = (index: number): boolean =>
      hasExperts(index, numberSetting(model, 'decoder_sparse_step', 1), listSetting(model, 'mlp_only_layers', []));
    runDecoder(builder, model, {
      kind: (index) => `${masks.kind(index)} ${isSparse(index) ? 'sparse' : 'dense'}`,
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) =>
            rotaryAttention(graph, model, run, projectedHeads(graph, model, run, hidden), rotary, {
              mask: masks.of(index),
              outputBias: false,
            }),
          mlp: (hidden) =>
            isSparse(index) ? sparseMlp(graph, model, hidden, experts) : gatedMlp(graph, model, hidden),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};
