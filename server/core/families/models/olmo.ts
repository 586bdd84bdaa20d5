import type { ModelShape, RunShape } from '../../budget/account.ts';
import { inPlace } from '../../graph/activations.ts';
import { cast } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { plainLayerNorm } from '../../graph/norms.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { numberSetting } from '../settings.ts';

/** Llama with LayerNorms that have no weights and run in fp32, and rotary positions in fp32. */
export const family: Family = {
  name: 'olmo',
  label: 'OLMo',
  configs: [
    {
      name: 'OlmoConfig',
      library: 'transformers',
      modelType: 'olmo',
      arguments: { ...gatedDecoderArguments, bias: 'attention_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: null,
        head_dim: null,
        intermediate_size: 11008,
        vocab_size: 50304,
        max_position_embeddings: 2048,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: { clip_qkv: null },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const rotary = rotaryTables(builder, model.headDimension, 'fp32');
    runDecoder(builder, model, {
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => norm(graph, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: norm,
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

const norm = (graph: GraphBuilder, input: Tensor): Tensor =>
  cast(graph, plainLayerNorm(graph, cast(graph, input, 'fp32')), input.elementType);

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const isClipped = numberSetting(model, 'clip_qkv', 0) > 0;
  const heads = (name: string, count: number): Tensor => {
    const projected = linear(graph, input, count * model.headDimension, model.bias, name);
    return asHeads(graph, run, isClipped ? inPlace.clamp(graph, projected) : projected, model.headDimension);
  };
  const turned = (each: Tensor): Tensor => cast(graph, rotated(graph, each, rotary), each.elementType);
  const [plainQuery, plainKey] = [heads('q_proj', model.heads), heads('k_proj', model.keyValueHeads)];
  const value = heads('v_proj', model.keyValueHeads);
  const [query, key] = [turned(plainQuery), turned(plainKey)];
  const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, 'fp32'));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
