import type { ModelShape } from '../../budget/account.ts';
import { sigmoid } from '../../graph/activations.ts';
import { detach } from '../../graph/arrangement.ts';
import { add, addScalar, cast, divide, maskedFill, multiply, scale, subtract } from '../../graph/elementwise.ts';
import { groupedExperts, type Routing } from '../../graph/experts.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { gather, topk } from '../../graph/indexing.ts';
import { linearWith, parameter } from '../../graph/products.ts';
import { softmax, sum } from '../../graph/reductions.ts';
import { concatenate, slice, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { type LatentWidths, latentAttention } from '../blocks/latentAttention.ts';
import { causalMask } from '../blocks/masks.ts';
import { gatedMlp } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { rotaryProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated, sharePositions } from '../blocks/rotary.ts';
import type { Family } from '../family.ts';
import { gatedDecoderArguments } from '../gatedDecoder.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { flagSetting, numberSetting, textSetting } from '../settings.ts';

const { headDimension: _, ...deepseekArguments } = gatedDecoderArguments;

/** DeepSeek V2 and V3: latent attention, first layers dense, then experts of which some see every token. */
export const family: Family = {
  name: 'deepseek',
  label: 'DeepSeek',
  dividedSettings: ['moe_intermediate_size'],
  configs: [
    {
      name: 'DeepseekV2Config',
      library: 'transformers',
      modelType: 'deepseek_v2',
      arguments: { ...deepseekArguments, bias: 'attention_bias', feedForwardBias: 'mlp_bias' },
      aliases: { num_experts: 'n_routed_experts' },
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4096,
        num_attention_heads: 32,
        num_key_value_heads: null,
        intermediate_size: 11008,
        vocab_size: 102400,
        max_position_embeddings: 2048,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        mlp_bias: false,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['attention_dropout'],
      settings: {
        q_lora_rank: 1536,
        kv_lora_rank: 512,
        qk_rope_head_dim: 64,
        qk_nope_head_dim: 128,
        v_head_dim: 128,
        n_routed_experts: 64,
        n_shared_experts: 2,
        num_experts_per_tok: null,
        moe_intermediate_size: 1407,
        first_k_dense_replace: 0,
        topk_method: 'greedy',
      },
    },
    {
      name: 'DeepseekV3Config',
      library: 'transformers',
      modelType: 'deepseek_v3',
      arguments: { ...deepseekArguments, bias: 'attention_bias' },
      aliases: { num_local_experts: 'n_routed_experts' },
      defaults: {
        num_hidden_layers: 61,
        hidden_size: 7168,
        num_attention_heads: 128,
        num_key_value_heads: 128,
        intermediate_size: 18432,
        vocab_size: 129280,
        max_position_embeddings: 4096,
        hidden_act: 'silu',
        tie_word_embeddings: false,
        attention_bias: false,
        attention_dropout: 0,
      },
      fixed: { feedForwardBias: false },
      dropout: ['attention_dropout'],
      settings: {
        q_lora_rank: 1536,
        kv_lora_rank: 512,
        qk_rope_head_dim: 64,
        qk_nope_head_dim: 128,
        v_head_dim: 128,
        n_routed_experts: 256,
        n_shared_experts: 1,
        num_experts_per_tok: 8,
        moe_intermediate_size: 2048,
        first_k_dense_replace: 3,
        norm_topk_prob: true,
        rope_interleave: true,
      },
    },
  ],

  forward(builder, model, run) {
    const widths = latentWidths(model);
    const rotate = rotation(builder, model, widths.rotary);
    causalMask(builder);
    const firstSparse = numberSetting(model, 'first_k_dense_replace', 0);
    runDecoder(builder, model, {
      kind: (index) => (index < firstSparse ? 'dense' : 'sparse'),
      layer: (graph, input, index) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => latentAttention(graph, model, run, hidden, widths, (each) => rotate(graph, each)),
          mlp: (hidden) => (index < firstSparse ? gatedMlp : expertsAndShared)(graph, model, hidden),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
    });
  },

  problem(model) {
    if (numberSetting(model, 'num_experts_per_tok', 0) === 0) return 'num_experts_per_tok is not said';
    if (model.keyValueHeads !== model.heads) return 'latent attention has as many key/value heads as query heads';
    return rotaryProblem(latentWidths(model).rotary);
  },
};

function latentWidths(model: ModelShape): LatentWidths {
  const queryRank = model.settings?.q_lora_rank;
  return {
    queryRank: typeof queryRank === 'number' ? queryRank : null,
    keyValueRank: numberSetting(model, 'kv_lora_rank', 512),
    rotary: numberSetting(model, 'qk_rope_head_dim', 64),
    plain: numberSetting(model, 'qk_nope_head_dim', 128),
    value: numberSetting(model, 'v_head_dim', 128),
  };
}

/** Only V3's class can say that its weights are not laid out in pairs; V2 turns pairs as complex numbers. */
function rotation(
  builder: ModelBuilder,
  model: ModelShape,
  width: number,
): (graph: GraphBuilder, input: Tensor) => Tensor {
  const interleaved = model.settings?.rope_interleave;
  if (interleaved === undefined) {
    sharePositions(builder);
    // One complex number, two of fp32, for each pair.
    const turns = builder.share(newTensor([1, 1, builder.run.sequence, width], 'fp32'));
    return (graph, input) => cast(graph, multiply(graph, cast(graph, input, 'fp32'), turns), input.elementType);
  }
  const tables = rotaryTables(builder, width);
  return (graph, input) => (interleaved ? rotatedPairs : rotated)(graph, input, tables);
}

/** Both entries of each pair turned on their own, and the results put behind one another. */
function rotatedPairs(graph: GraphBuilder, input: Tensor, tables: RotaryTables): Tensor {
  const half = size(input, -1) / 2;
  const cosine = slice(graph, tables.cosine, -1, half);
  const sine = slice(graph, tables.sine, -1, half);
  const [first, second] = [slice(graph, input, -1, half), slice(graph, input, -1, half)];
  return concatenate(graph, [
    subtract(graph, multiply(graph, first, cosine), multiply(graph, second, sine)),
    add(graph, multiply(graph, second, cosine), multiply(graph, first, sine)),
  ]);
}

function expertsAndShared(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  return graph.within('experts', () => {
    const tokens = view(graph, input, [-1, size(input, -1)]);
    const experts = numberSetting(model, 'n_routed_experts', 64);
    const width = numberSetting(model, 'moe_intermediate_size', 2048);
    const routing = routed(graph, model, tokens, experts);
    const mixed = groupedExperts(graph, tokens, routing, experts, width, (builder, gate) =>
      activated(builder, model, gate),
    );
    const sharedWidth = width * numberSetting(model, 'n_shared_experts', 1);
    const shared = gatedMlp(graph, { ...model, feedForward: sharedWidth }, input);
    return add(graph, view(graph, mixed, input.shape), shared);
  });
}

/**
 * The router computes in fp32. V2 takes the largest of a softmax, V3 gathers sigmoids at places chosen beside the gradient's
 * way; what the choice among groups of experts needs is gone when the router is through.
 */
function routed(graph: GraphBuilder, model: ModelShape, tokens: Tensor, experts: number): Routing {
  const chosen = numberSetting(model, 'num_experts_per_tok', 8);
  const weight = cast(graph, parameter(graph, experts, size(tokens, -1)), 'fp32');
  const logits = linearWith(graph, cast(graph, tokens, 'fp32'), weight);
  if (model.settings?.norm_topk_prob === undefined) {
    const scores = softmax(graph, logits, 'fp32');
    const isLimited = textSetting(model, 'topk_method', 'greedy') === 'group_limited_greedy';
    const open = isLimited ? maskedFill(graph, scores, newTensor(scores.shape, 'bool')) : scores;
    const [weights, places] = topk(graph, open, chosen);
    return { weights: scale(graph, weights), experts: places };
  }
  const scores = sigmoid(graph, logits);
  const correction = newTensor([experts], 'fp32', { role: 'parameter' });
  const [, places] = topk(graph, add(graph, detach(graph, scores), correction), chosen);
  const weights = gather(graph, scores, places);
  if (!flagSetting(model, 'norm_topk_prob', true)) return { weights: scale(graph, weights), experts: places };
  // Divided in place, and so in their own type, which under autocast is not that of their sum.
  const divided = divide(graph, weights, addScalar(graph, sum(graph, weights, [-1], true)));
  return { weights: scale(graph, cast(graph, divided, weights.elementType)), experts: places };
}
