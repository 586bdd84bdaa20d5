import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { commonMasks, type LayerMasks, switchedMasks, windowSetting, windowSwitch } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import type { ModelBuilder } from '../modelBuilder.ts';

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
      settings: { sliding_window: 4096 },
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
      settings: windowSwitch,
      // Query, key and value projections have a bias in every Qwen2; the output projection and the MLP have none.
      fixed: { bias: true, outputBias: false, feedForwardBias: false },
      dropout: ['attention_dropout'],
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = masksOf(builder, model);
    runDecoder(builder, model, {
      kind: masks.kind,
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary, masks.of(index)),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

/** Mistral gives all layers one window; Qwen2 switches it on, from a layer on; Llama has none. */
function masksOf(builder: ModelBuilder, model: ModelShape): LayerMasks {
  const isSwitched = model.settings?.use_sliding_window !== undefined;
  return isSwitched ? switchedMasks(builder, model) : commonMasks(builder, windowSetting(model));
}

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
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', { mask }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.outputBias === true, 'o_proj');
}
