import type { ModelShape, RunShape } from '../../budget/account.ts';
import { scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { gemmaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';

/** Llama with scaled embeddings, norms that apply their weight in fp32, a GELU in the gate and heads of any width. */
export const family: Family = {
  name: 'gemma',
  label: 'Gemma',
  configs: [
    {
      name: 'GemmaConfig',
      library: 'transformers',
      modelType: 'gemma',
      arguments: { ...gatedDecoderArguments, bias: 'attention_bias' },
      aliases: {},
      defaults: {
        num_hidden_layers: 28,
        hidden_size: 3072,
        num_attention_heads: 16,
        num_key_value_heads: 16,
        head_dim: 256,
        intermediate_size: 24576,
        vocab_size: 256000,
        max_position_embeddings: 8192,
        hidden_act: 'gelu_pytorch_tanh',
        tie_word_embeddings: true,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const rotary = rotaryTables(builder, model.headDimension);
    runDecoder(builder, model, {
      embedded: scale,
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => gemmaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => gemmaNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const query = rotated(graph, heads.query, rotary);
  const key = rotated(graph, heads.key, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32'),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
