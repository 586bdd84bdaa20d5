import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotatedInPart } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { dropoutOf, flagSetting, numberSetting } from '../settings.ts';

/** Phi-1.5 and Phi-2: attention and MLP side by side over one norm, half of each head rotated, a head with a bias. */
export const family: Family = {
  name: 'phi',
  label: 'Phi',
  configs: [
    {
      name: 'PhiConfig',
      library: 'transformers',
      modelType: 'phi',
      arguments: gatedDecoderArguments,
      aliases: {},
      defaults: {
        num_hidden_layers: 24,
        hidden_size: 2048,
        num_attention_heads: 32,
        num_key_value_heads: null,
        head_dim: null,
        intermediate_size: 8192,
        vocab_size: 51200,
        max_position_embeddings: 2048,
        hidden_act: 'gelu_new',
        tie_word_embeddings: false,
        resid_pdrop: 0,
        embd_pdrop: 0,
        attention_dropout: 0,
      },
      fixed: { bias: true },
      dropout: ['resid_pdrop', 'embd_pdrop', 'attention_dropout'],
      settings: { partial_rotary_factor: 0.5, qk_layernorm: false },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const rotary = rotaryTables(builder, rotatedWidth(model));
    runDecoder(builder, model, {
      embedded: (graph, words) => dropout(graph, words, dropoutOf(model, run, 'embd_pdrop')),
      layer: (graph, input) => layer(graph, model, run, input, rotary),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
      headBias: true,
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(rotatedWidth(model)),
};

const rotatedWidth = (model: ModelShape): number =>
  Math.floor(model.headDimension * numberSetting(model, 'partial_rotary_factor', 0.5));

function layer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const dropped = (hidden: Tensor): Tensor => dropout(graph, hidden, dropoutOf(model, run, 'resid_pdrop'));
  const normed = graph.within('norms', () => layerNorm(graph, input, true));
  const attended = graph.within('attention-rest', () => dropped(attention(graph, model, run, normed, rotary)));
  return graph.within('mlp', () => {
    const fed = dropped(plainMlp(graph, model, normed, true, { up: 'fc1', down: 'fc2' }));
    return add(graph, add(graph, attended, fed), input);
  });
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const isNormed = flagSetting(model, 'qk_layernorm', false);
  const turned = (each: Tensor): Tensor => rotatedInPart(graph, isNormed ? layerNorm(graph, each, true) : each, rotary);
  const [query, key] = [turned(heads.query), turned(heads.key)];
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', {
      dropout: dropoutOf(model, run, 'attention_dropout'),
    }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'dense');
}
