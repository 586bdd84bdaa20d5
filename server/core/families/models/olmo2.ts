import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, cast } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { olmoNorm } from '../blocks/norms.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';

/** Norms after the sublayers instead of before them, norms over all of queries and keys, rotary positions in fp32. */
export const family: Family = {
  name: 'olmo2',
  label: 'OLMo 2',
  configs: [
    {
      name: 'Olmo2Config',
      library: 'transformers',
      modelType: 'olmo2',
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
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const rotary = rotaryTables(builder, model.headDimension, 'fp32');
    runDecoder(builder, model, {
      layer: (graph, input) => layer(graph, model, run, input, rotary),
      finalNorm: (graph, input) => olmoNorm(graph, run, input),
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

function layer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const norm = (hidden: Tensor): Tensor => graph.within('norms', () => olmoNorm(graph, run, hidden));
  const attended = norm(graph.within('attention-rest', () => attention(graph, model, run, input, rotary)));
  const residual = graph.within('attention-rest', () => add(graph, input, attended));
  const fed = norm(gatedMlp(graph, model, residual, { fused: run.fused?.mlp }));
  return graph.within('mlp', () => add(graph, residual, fed));
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const projected = (name: string, count: number): Tensor =>
    linear(graph, input, count * model.headDimension, model.bias, name);
  const normed = (name: string, count: number): Tensor => olmoNorm(graph, run, projected(name, count));
  const heads = (each: Tensor): Tensor => asHeads(graph, run, each, model.headDimension);
  const [plainQuery, plainKey] = [normed('q_proj', model.heads), normed('k_proj', model.keyValueHeads)].map(heads);
  const value = heads(projected('v_proj', model.keyValueHeads));
  const turned = (each: Tensor): Tensor => cast(graph, rotated(graph, each, rotary), each.elementType);
  const [query, key] = [turned(plainQuery ?? value), turned(plainKey ?? value)];
  const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, 'fp32'));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}
