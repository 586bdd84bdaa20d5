import type { ModelShape, RunShape, SettingValue } from '../../budget/account.ts';
import type { ActivationFunction } from '../../facts/facts.ts';
import { add, addScalar, cast, clampBetween, dropout, multiply, power, rsqrt, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { crossEntropy } from '../../graph/losses.ts';
import { rmsNorm } from '../../graph/norms.ts';
import { embedding, linear, linearWith, parameter } from '../../graph/products.ts';
import { meanOfLast } from '../../graph/reductions.ts';
import { permute, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { activationNames } from '../activations.ts';
import { activated } from '../blocks/activation.ts';
import { attentionKernel } from '../blocks/attention.ts';
import { biasedAttention } from '../blocks/biasedAttention.ts';
import type { ConfigClassOfFamily } from '../configClass.ts';
import type { Family, PartKey } from '../family.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { numberSetting, textSetting } from '../settings.ts';

const t5Config = (
  name: string,
  modelType: string,
  defaults: Readonly<Record<string, SettingValue>>,
  feedForward: string,
): ConfigClassOfFamily => ({
  name,
  library: 'transformers',
  modelType,
  arguments: {
    layers: 'num_layers',
    hidden: 'd_model',
    heads: 'num_heads',
    headDimension: 'd_kv',
    feedForward: 'd_ff',
    vocabulary: 'vocab_size',
    tiedEmbeddings: 'tie_word_embeddings',
  },
  aliases: {
    hidden_size: 'd_model',
    num_attention_heads: 'num_heads',
    num_hidden_layers: 'num_layers',
    head_dim: 'd_kv',
  },
  defaults: { d_model: 512, d_kv: 64, tie_word_embeddings: true, dropout_rate: 0.1, ...defaults },
  // Positions are relative, so that no sequence is too long; the checkpoints were trained on 512 tokens.
  fixed: { activation: 'relu', bias: false, maximumSequence: 512 },
  dropout: ['dropout_rate'],
  settings: { num_decoder_layers: null, feed_forward_proj: feedForward, relative_attention_num_buckets: 32 },
});

/** T5, Flan-T5 and mT5: encoder and decoder with relative position biases, which the first layer makes for all others. */
export const family: Family = {
  name: 't5',
  label: 'T5',
  configs: [
    t5Config('T5Config', 't5', { num_layers: 6, num_heads: 8, d_ff: 2048, vocab_size: 32128 }, 'relu'),
    t5Config('MT5Config', 'mt5', { num_layers: 8, num_heads: 6, d_ff: 1024, vocab_size: 250112 }, 'gated-gelu'),
  ],

  forward(builder, model, run) {
    const words = builder.weight(model.vocabulary, model.hidden);
    const encoded = encoder(builder, model, run, words);
    const length = run.targetSequence ?? run.sequence;
    const ids = builder.input([run.batch, length]);
    const embedded = builder.outside('decoder.embed_tokens', ids, (graph) =>
      dropout(graph, embedding(graph, ids, words), run.dropout),
    );
    if (attentionKernel(run) === 'eager') {
      builder.share(newTensor([run.batch, 1, length, length], builder.precision.weights));
    }
    const ownBias = biasOfFirst(builder, model, length);
    const crossBias = crossBiasOfFirst(builder, model, length);
    const hidden = builder.layers({
      name: 'decoder.block',
      count: numberSetting(model, 'num_decoder_layers', model.layers),
      input: embedded,
      kind: firstOrRest,
      layer(graph, input, index) {
        const bias = ownBias(graph, index);
        const attended = sublayer(graph, run, input, 'attention-rest', (normed) =>
          attention(graph, model, run, normed, normed, bias, true),
        );
        const crossed = sublayer(graph, run, attended, 'attention-rest', (normed) =>
          attention(graph, model, run, normed, encoded, crossBias(graph, index), false),
        );
        return sublayer(graph, run, crossed, 'mlp', (normed) => mlp(graph, model, run, normed));
      },
    });
    builder.outside('lm_head', hidden, (graph, input) => {
      const normed = scale(graph, dropout(graph, t5Norm(graph, run, input), run.dropout));
      const head = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, model.hidden);
      const logits = view(graph, linearWith(graph, normed, head), [-1, model.vocabulary]);
      return crossEntropy(graph, logits, view(graph, ids, [-1]));
    });
  },

  problem(model) {
    const { activation } = feedForwardOf(model);
    return activation === undefined
      ? `no account for feed_forward_proj ${textSetting(model, 'feed_forward_proj', 'relu')}`
      : undefined;
  },
};

/** The encoder's last hidden states, which every decoder layer reads. */
function encoder(builder: ModelBuilder, model: ModelShape, run: RunShape, words: Tensor): Tensor {
  const ids = builder.input([run.batch, run.sequence]);
  const embedded = builder.outside('encoder.embed_tokens', ids, (graph) =>
    dropout(graph, embedding(graph, ids, words), run.dropout),
  );
  const biasOf = biasOfFirst(builder, model, run.sequence);
  const hidden = builder.layers({
    name: 'encoder.block',
    count: model.layers,
    input: embedded,
    kind: firstOrRest,
    layer(graph, input, index) {
      const bias = biasOf(graph, index);
      const attended = sublayer(graph, run, input, 'attention-rest', (normed) =>
        attention(graph, model, run, normed, normed, bias, false),
      );
      return sublayer(graph, run, attended, 'mlp', (normed) => mlp(graph, model, run, normed));
    },
  });
  return builder.share(
    builder.outside('encoder.final_layer_norm', hidden, (graph, input) =>
      dropout(graph, t5Norm(graph, run, input), run.dropout),
    ),
  );
}

const firstOrRest = (index: number): string => (index === 0 ? 'first' : 'rest');

type BiasOfLayer = (graph: GraphBuilder, index: number) => Tensor;

/** Looked up by the first layer in a table of buckets, `[1, heads, queries, keys]` seen through other strides. */
function biasOfFirst(builder: ModelBuilder, model: ModelShape, length: number): BiasOfLayer {
  return madeByFirst(builder, (graph) => {
    const buckets = numberSetting(model, 'relative_attention_num_buckets', 32);
    const places = newTensor([length, length], 'int64');
    const found = permute(graph, embedding(graph, places, parameter(graph, buckets, model.heads)), 2, 0, 1);
    return { ...found, shape: [1, ...found.shape], strides: [1, ...found.strides] };
  });
}

/** Attention to the encoder has no positions: zeros in the type of the queries. */
const crossBiasOfFirst = (builder: ModelBuilder, model: ModelShape, length: number): BiasOfLayer =>
  madeByFirst(builder, (graph) => newTensor([1, model.heads, length, builder.run.sequence], graph.precision.compute));

function madeByFirst(builder: ModelBuilder, make: (graph: GraphBuilder) => Tensor): BiasOfLayer {
  let made: Tensor | undefined;
  return (graph) => {
    made ??= builder.share(make(graph));
    return made;
  };
}

/** `x + dropout(part(norm(x)))`, kept from overflowing where it is fp16. */
function sublayer(
  graph: GraphBuilder,
  run: RunShape,
  input: Tensor,
  name: PartKey,
  part: (normed: Tensor) => Tensor,
): Tensor {
  const normed = graph.within('norms', () => t5Norm(graph, run, input));
  return graph.within(name, () => clamped(graph, add(graph, input, dropout(graph, part(normed), run.dropout))));
}

function clamped(graph: GraphBuilder, input: Tensor): Tensor {
  if (input.elementType !== 'fp16') return input;
  const bound = (): Tensor => newTensor([], 'fp32');
  return clampBetween(graph, input, bound(), bound());
}

/** RMSNorm with its statistics in fp32 and the product in the weight's type. */
function t5Norm(graph: GraphBuilder, run: RunShape, input: Tensor): Tensor {
  if (run.fused?.norm) return rmsNorm(graph, input);
  const meanSquare = meanOfLast(graph, power(graph, cast(graph, input, 'fp32')));
  const normed = multiply(graph, input, rsqrt(graph, addScalar(graph, meanSquare)));
  return multiply(graph, parameter(graph, size(input, -1)), cast(graph, normed, graph.precision.weights));
}

function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  source: Tensor,
  bias: Tensor,
  isCausal: boolean,
): Tensor {
  return graph.within('attention-rest', () => {
    const inner = model.heads * model.headDimension;
    const heads = (from: Tensor, name: string): Tensor => {
      const shape = [size(from, 0), size(from, 1), model.heads, model.headDimension];
      return transpose(graph, view(graph, linear(graph, from, inner, false, name), shape), 1, 2);
    };
    const projected = { query: heads(input, 'q'), key: heads(source, 'k'), value: heads(source, 'v') };
    const core = graph.within('attention-scores', () => biasedAttention(graph, run, projected, bias, isCausal));
    const joined = view(graph, transpose(graph, core, 1, 2), [size(input, 0), size(input, 1), inner]);
    return linear(graph, joined, model.hidden, false, 'o');
  });
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const { activation = 'relu', gated } = feedForwardOf(model);
    const first = activated(
      graph,
      { activation },
      linear(graph, input, model.feedForward, false, gated ? 'wi_0' : 'wi'),
    );
    const wide = gated ? multiply(graph, first, linear(graph, input, model.feedForward, false, 'wi_1')) : first;
    // The last product is asked for in the weight's type, fp32 under autocast, which casts it down again.
    const dropped = cast(graph, dropout(graph, wide, run.dropout), graph.precision.weights);
    return linear(graph, dropped, model.hidden, false, 'wo');
  });
}

/** `feed_forward_proj` as the configuration class reads it: `gated-gelu` means the written-out gelu. */
function feedForwardOf(model: ModelShape): { activation: ActivationFunction | undefined; gated: boolean } {
  const name = textSetting(model, 'feed_forward_proj', 'relu');
  const gated = name.startsWith('gated-');
  return { activation: name === 'gated-gelu' ? 'gelu_new' : activationNames[gated ? name.slice(6) : name], gated };
}
