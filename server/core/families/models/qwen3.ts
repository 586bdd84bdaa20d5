import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { switchedMasks, windowSwitch } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { joinedHeads, normedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';

/** Llama with an RMSNorm over each head of queries and keys, and heads of any width. */
export const family: Family = {
  name: 'qwen3',
  label: 'Qwen3',
  configs: [
    {
      name: 'Qwen3Config',
      library: 'transformers',
      modelType: 'qwen3',
      arguments: { ...gatedDecoderArguments, bias: 'attention_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: 32,
        head_dim: 128,
        intermediate_size: 22016,
        vocab_size: 151936,
        max_position_embeddings: 32768,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: windowSwitch,
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension);
    const masks = switchedMasks(builder, model);
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

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  rotary: RotaryTables,
  mask: Tensor | undefined,
): Tensor {
  const heads = normedHeads(graph, model, run, input, (each) => llamaNorm(graph, run, each));
  const query = rotated(graph, heads.query, rotary);
  const key = rotated(graph, heads.key, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', { mask }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
