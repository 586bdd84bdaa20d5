import type { ModelShape, RunShape } from '../../budget/account.ts';
import { softCap } from '../../graph/activations.ts';
import { scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { layerMasks, windowSetting } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { gemmaNorm } from '../blocks/norms.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { sandwichLayer } from '../blocks/sandwichLayer.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';

/** Gemma with a norm after each sublayer too, soft caps on scores and logits, and a window in every other layer. */
export const family: Family = {
  name: 'gemma2',
  label: 'Gemma 2',
  configs: [
    {
      name: 'Gemma2Config',
      library: 'transformers',
      modelType: 'gemma2',
      arguments: { ...gatedDecoderArguments, activation: 'hidden_activation', bias: 'attention_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 26,
        hidden_size: 2304,
        num_attention_heads: 8,
        num_key_value_heads: 4,
        head_dim: 256,
        intermediate_size: 9216,
        vocab_size: 256000,
        max_position_embeddings: 8192,
        hidden_activation: 'gelu_pytorch_tanh',
        tie_word_embeddings: true,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: { sliding_window: 4096, layer_types: null, attn_logit_softcapping: 50, final_logit_softcapping: 30 },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = layerMasks(builder, model, windowSetting(model), (index) => index % 2 === 0);
    runDecoder(builder, model, {
      kind: masks.kind,
      embedded: scale,
      layer: (graph, input, index) =>
        sandwichLayer(graph, input, {
          norm: (hidden) => gemmaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary, masks.of(index)),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => gemmaNorm(graph, run, input),
      logits: (graph, logits) => (isCapped(model, 'final_logit_softcapping') ? softCap(graph, logits) : logits),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

/** Every Gemma 2 has soft caps unless its configuration says null. */
const isCapped = (model: ModelShape, setting: string): boolean => model.settings?.[setting] !== null;

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
  const softCap = isCapped(model, 'attn_logit_softcapping');
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', { mask, softCap }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
