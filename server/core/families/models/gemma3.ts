import type { ModelShape, RunShape } from '../../budget/account.ts';
import { softCap } from '../../graph/activations.ts';
import { scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { isWindowed, layerMasks, windowSetting } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { gemmaNorm } from '../blocks/norms.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryPair, rotated, sharePositions } from '../blocks/rotary.ts';
import { sandwichLayer } from '../blocks/sandwichLayer.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { numberSetting } from '../settings.ts';

/** Gemma 2 with norms over heads in place of the soft cap on scores; five of six layers have a window, and rotary tables of their own. */
export const family: Family = {
  name: 'gemma3',
  label: 'Gemma 3',
  configs: [
    {
      name: 'Gemma3TextConfig',
      library: 'transformers',
      modelType: 'gemma3_text',
      arguments: { ...gatedDecoderArguments, activation: 'hidden_activation', bias: 'attention_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 26,
        hidden_size: 2304,
        num_attention_heads: 8,
        num_key_value_heads: 4,
        head_dim: 256,
        intermediate_size: 9216,
        vocab_size: 262208,
        max_position_embeddings: 131072,
        hidden_activation: 'gelu_pytorch_tanh',
        tie_word_embeddings: true,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: {
        sliding_window: 4096,
        sliding_window_pattern: 6,
        layer_types: null,
        final_logit_softcapping: null,
        use_bidirectional_attention: false,
      },
    },
  ],

  forward(builder, model, run) {
    const masks = layerMasks(builder, model, windowSetting(model), windowRule(model));
    const hasWindow = (index: number): boolean => isWindowed(model, index, windowRule(model));
    const rotary = tablesByType(builder, model);
    runDecoder(builder, model, {
      kind: (index) => (hasWindow(index) ? 'sliding_attention' : 'full_attention'),
      embedded: scale,
      layer: (graph, input, index) =>
        sandwichLayer(graph, input, {
          norm: (hidden) => gemmaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary(hasWindow(index)), masks.of(index)),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => gemmaNorm(graph, run, input),
      logits: (graph, logits) =>
        numberSetting(model, 'final_logit_softcapping', 0) > 0 ? softCap(graph, logits) : logits,
    });
  },

  problem: (model) =>
    model.settings?.use_bidirectional_attention
      ? 'attention to both sides (use_bidirectional_attention) has no account'
      : (groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension)),
};

const windowRule = (model: ModelShape): ((index: number) => boolean) => {
  const pattern = numberSetting(model, 'sliding_window_pattern', 6);
  return (index) => (index + 1) % pattern !== 0;
};

/** One pair of tables for each sort of layer that the model has, over the same positions. */
function tablesByType(builder: ModelBuilder, model: ModelShape): (isWindowed: boolean) => RotaryTables {
  sharePositions(builder);
  const made = new Map<boolean, RotaryTables>();
  return (type) => {
    const tables = made.get(type) ?? rotaryPair(builder, model.headDimension);
    made.set(type, tables);
    return tables;
  };
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
  const query = rotated(graph, gemmaNorm(graph, run, heads.query), rotary);
  const key = rotated(graph, gemmaNorm(graph, run, heads.key), rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', { mask }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
