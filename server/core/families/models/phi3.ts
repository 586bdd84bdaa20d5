import type { ModelShape, RunShape } from '../../budget/account.ts';
import { gatedActivation } from '../../graph/activations.ts';
import { dropout, multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { split, splitInto } from '../../graph/shapes.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { commonMasks, windowSetting } from '../blocks/masks.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotatedInPart } from '../blocks/rotary.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { dropoutOf, numberSetting } from '../settings.ts';

/** Llama with one projection for queries, keys and values, one for gate and up, and dropout after each sublayer. */
export const family: Family = {
  name: 'phi3',
  label: 'Phi-3',
  configs: [
    {
      name: 'Phi3Config',
      library: 'transformers',
      modelType: 'phi3',
      arguments: gatedDecoderArguments,
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 3072,
        num_attention_heads: 32,
        num_key_value_heads: null,
        head_dim: null,
        intermediate_size: 8192,
        vocab_size: 32064,
        max_position_embeddings: 4096,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        resid_pdrop: 0,
        attention_dropout: 0,
      },
      fixed: { bias: false },
      dropout: ['resid_pdrop', 'attention_dropout'],
      settings: { sliding_window: null, partial_rotary_factor: 1 },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, rotatedWidth(model));
    const masks = commonMasks(builder, windowSetting(model));
    runDecoder(builder, model, {
      kind: masks.kind,
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary, masks.of(index)),
          mlp: (hidden) => mlp(graph, model, run, hidden),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(rotatedWidth(model)),
};

const rotatedWidth = (model: ModelShape): number =>
  Math.floor(model.headDimension * numberSetting(model, 'partial_rotary_factor', 1));

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  rotary: RotaryTables,
  mask: Tensor | undefined,
): Tensor {
  const widths = [model.heads, model.keyValueHeads, model.keyValueHeads].map((count) => count * model.headDimension);
  const outputs = widths.reduce((sum, width) => sum + width, 0);
  const projected = linear(graph, input, outputs, false, 'qkv_proj');
  const heads = splitInto(graph, projected, widths).map((each) => asHeads(graph, run, each, model.headDimension));
  const [plainQuery = projected, plainKey = projected, value = projected] = heads;
  const query = rotatedInPart(graph, plainQuery, rotary);
  const key = rotatedInPart(graph, plainKey, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value }, 'fp32', {
      mask,
      dropout: dropoutOf(model, run, 'attention_dropout'),
    }),
  );
  const output = linear(graph, joinedHeads(graph, run, core), model.hidden, false, 'o_proj');
  return dropout(graph, output, dropoutOf(model, run, 'resid_pdrop'));
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const both = linear(graph, input, 2 * model.feedForward, false, 'gate_up_proj');
  const [gate = both, up = both] = split(graph, both, 2);
  const product = run.fused?.mlp
    ? gatedActivation(graph, gate, up)
    : multiply(graph, up, activated(graph, model, gate));
  return dropout(graph, linear(graph, product, model.hidden, false, 'down_proj'), dropoutOf(model, run, 'resid_pdrop'));
}
