import type { ModelShape, RunShape } from '../../budget/account.ts';
import { sigmoid } from '../../graph/activations.ts';
import { add, addScalar, cast, clamp, dropout, multiply, scale, subtract } from '../../graph/elementwise.ts';
import { gatedExperts } from '../../graph/experts.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { maximumWithIndices, topk } from '../../graph/indexing.ts';
import { linear, linearWith, matrixProduct, parameter } from '../../graph/products.ts';
import { record } from '../../graph/record.ts';
import { softmax } from '../../graph/reductions.ts';
import { concatenate, expand, repeatHeads, slice, split, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { Heads } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { olmoNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables } from '../blocks/rotary.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import { numberSetting } from '../settings.ts';

/**
 * gpt-oss: attention with a learned sink for each head, experts with biases and a clamped gate. transformers runs its
 * attention eagerly unless told otherwise, for scaled_dot_product_attention has no sinks.
 */
export const family: Family = {
  name: 'gpt-oss',
  label: 'gpt-oss',
  configs: [
    {
      name: 'GptOssConfig',
      library: 'transformers',
      modelType: 'gpt_oss',
      arguments: { ...gatedDecoderArguments, bias: 'attention_bias', outputBias: 'attention_bias' },
      aliases: { num_experts: 'num_local_experts' },
      defaults: {
        num_hidden_layers: 36,
        hidden_size: 2880,
        num_attention_heads: 64,
        num_key_value_heads: 8,
        head_dim: 64,
        intermediate_size: 2880,
        vocab_size: 201088,
        max_position_embeddings: 131072,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: true,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: { num_local_experts: 128, num_experts_per_tok: 4 },
    },
  ],

  forward(builder, model, run) {
    const rotary = rotaryTables(builder, model.headDimension / 2);
    const mask = (): Tensor => newTensor([run.batch, 1, run.sequence, run.sequence], builder.precision.weights);
    // One for layers that look back over a window, one for those that look back to the start.
    builder.share(mask());
    builder.share(mask());
    runDecoder(builder, model, {
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => olmoNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, rotary),
          mlp: (hidden) => experts(graph, model, hidden),
        }),
      finalNorm: (graph, input) => olmoNorm(graph, run, input),
    });
  },

  problem(model, run) {
    if (run.attention === 'flash' || run.attention === 'efficient' || run.attention === 'math')
      return 'no account for fused attention with sinks';
    return groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension);
  },
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const turned = {
    query: rotatedHalves(graph, heads.query, rotary),
    key: rotatedHalves(graph, heads.key, rotary),
    value: heads.value,
  };
  const core = graph.within('attention-scores', () => attentionWithSinks(graph, model, run, turned));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}

/** Both halves turned on their own, with tables of half a head's width. */
function rotatedHalves(graph: GraphBuilder, input: Tensor, { cosine, sine }: RotaryTables): Tensor {
  const [first = input, second = input] = split(graph, input, 2);
  return concatenate(graph, [
    subtract(graph, multiply(graph, first, cosine), multiply(graph, second, sine)),
    add(graph, multiply(graph, second, cosine), multiply(graph, first, sine)),
  ]);
}

/** The sink is one more column of the scores, which takes its share of the softmax and is cut off again. */
function attentionWithSinks(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  { query, key, value }: Heads,
): Tensor {
  const groups = model.heads / model.keyValueHeads;
  const [keys, values] = [repeatHeads(graph, key, groups), repeatHeads(graph, value, groups)];
  const scores = scale(graph, matrixProduct(graph, query, transpose(graph, keys, -1, -2)));
  const sinks = view(graph, parameter(graph, model.heads), [1, model.heads, 1, 1]);
  const column = expand(graph, sinks, [size(query, 0), model.heads, size(query, 2), 1]);
  const combined = concatenate(graph, [scores, column]);
  const [largest] = maximumWithIndices(graph, combined, -1);
  const shifted = subtract(graph, combined, view(graph, largest, [...largest.shape, 1]));
  const weights = slice(graph, softmax(graph, shifted), -1, size(key, 2));
  const dropped = cast(graph, dropout(graph, weights, run.dropout), value.elementType);
  return matrixProduct(graph, dropped, values);
}

function experts(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  return graph.within('experts', () => {
    const tokens = view(graph, input, [-1, size(input, -1)]);
    const count = numberSetting(model, 'num_local_experts', 128);
    const router = parameter(graph, count, model.hidden);
    const logits = linearWith(graph, tokens, router, parameter(graph, count));
    const [largest, places] = topk(graph, logits, numberSetting(model, 'num_experts_per_tok', 4));
    // Asked for in the logits' own type, which autocast leaves alone.
    const weights = record(graph, 'softmax', [largest], newTensor(largest.shape, largest.elementType));
    const sizes = { experts: count, feedForward: model.feedForward, biases: true };
    return view(graph, gatedExperts(graph, tokens, { weights, experts: places }, sizes, clampedGate), input.shape);
  });
}

/** `(up + 1) · gate · sigmoid(1.702 · gate)`, both clamped; gates and ups lie between one another. */
function clampedGate(graph: GraphBuilder, projected: Tensor): Tensor {
  const [gates = projected, ups = projected] = split(graph, projected, 2);
  const gate = clamp(graph, gates);
  const up = clamp(graph, ups);
  const glu = multiply(graph, gate, sigmoid(graph, scale(graph, gate)));
  return multiply(graph, addScalar(graph, up), glu);
}
