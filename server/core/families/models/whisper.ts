import type { ModelShape, RunShape } from '../../budget/account.ts';
import { convolution } from '../../graph/convolutions.ts';
import { add, clamp, dropout, gelu, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { index } from '../../graph/indexing.ts';
import { crossEntropy } from '../../graph/losses.ts';
import { embedding, linear, linearWith, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { contiguous, permute, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { attentionCore, attentionKernel } from '../blocks/attention.ts';
import type { Family, PartKey } from '../family.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { dropoutOf, numberSetting } from '../settings.ts';

/**
 * Whisper: two convolutions over 30 seconds of sound, which is always as many places, an encoder over these, and a decoder.
 * The run's target sequence is the text; where it says none, its sequence is, up to the longest one.
 */
export const family: Family = {
  name: 'whisper',
  label: 'Whisper',
  undivided: true,
  configs: [
    {
      name: 'WhisperConfig',
      library: 'transformers',
      modelType: 'whisper',
      arguments: {
        layers: 'encoder_layers',
        hidden: 'd_model',
        heads: 'encoder_attention_heads',
        feedForward: 'encoder_ffn_dim',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_target_positions',
        activation: 'activation_function',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: {
        hidden_size: 'd_model',
        num_hidden_layers: 'encoder_layers',
        num_attention_heads: 'encoder_attention_heads',
      },
      defaults: {
        encoder_layers: 4,
        d_model: 384,
        encoder_attention_heads: 6,
        encoder_ffn_dim: 1536,
        vocab_size: 51865,
        max_target_positions: 448,
        activation_function: 'gelu',
        tie_word_embeddings: true,
        dropout: 0,
        attention_dropout: 0,
        activation_dropout: 0,
      },
      fixed: { bias: true },
      dropout: ['dropout', 'attention_dropout', 'activation_dropout'],
      settings: {
        decoder_layers: 4,
        decoder_attention_heads: 6,
        decoder_ffn_dim: 1536,
        max_source_positions: 1500,
        num_mel_bins: 80,
      },
    },
  ],

  forward(builder, model, run) {
    const encoded = encoder(builder, model, run);
    const length = targetLength(model, run);
    const decoder = {
      ...model,
      heads: numberSetting(model, 'decoder_attention_heads', model.heads),
      feedForward: numberSetting(model, 'decoder_ffn_dim', model.feedForward),
    };
    const words = builder.weight(model.vocabulary, model.hidden);
    const ids = builder.input([run.batch, length]);
    if (attentionKernel(run) === 'eager') {
      builder.share(newTensor([run.batch, 1, length, length], builder.precision.weights));
    }
    const embedded = builder.outside('model.decoder.embed_tokens', ids, (graph) => {
      const positions = newTensor(ids.shape, 'int64');
      const places = index(graph, parameter(graph, model.maximumSequence, model.hidden), positions);
      return dropout(graph, add(graph, embedding(graph, ids, words), places), dropoutOf(model, run, 'dropout'));
    });
    const hidden = builder.layers({
      name: 'model.decoder.layers',
      count: numberSetting(model, 'decoder_layers', model.layers),
      input: embedded,
      layer(graph, input) {
        const attended = sublayer(graph, model, run, input, 'attention-rest', (normed) =>
          attention(graph, decoder, run, normed, normed),
        );
        const crossed = sublayer(graph, model, run, attended, 'attention-rest', (normed) =>
          attention(graph, decoder, run, normed, encoded),
        );
        return sublayer(graph, model, run, crossed, 'mlp', (normed) => mlp(graph, decoder, run, normed));
      },
    });
    builder.outside('proj_out', hidden, (graph, input) => {
      const head = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, model.hidden);
      const logits = linearWith(graph, layerNorm(graph, input, true), head);
      return crossEntropy(graph, view(graph, logits, [-1, model.vocabulary]), view(graph, ids, [-1]));
    });
  },

  problem(model) {
    const decoderHeads = numberSetting(model, 'decoder_attention_heads', model.heads);
    const uneven = [model.heads, decoderHeads].find((heads) => model.hidden % heads !== 0);
    return uneven === undefined ? undefined : `${model.hidden} hidden units do not divide into ${uneven} heads`;
  },
};

const targetLength = (model: ModelShape, run: RunShape): number =>
  run.targetSequence ?? Math.min(run.sequence, model.maximumSequence);

/** The encoder's last hidden states, which every decoder layer reads. */
function encoder(builder: ModelBuilder, model: ModelShape, run: RunShape): Tensor {
  const places = numberSetting(model, 'max_source_positions', 1500);
  const mel = builder.input(
    [run.batch, numberSetting(model, 'num_mel_bins', 80), 2 * places],
    builder.precision.weights,
  );
  const embedded = builder.outside('model.encoder.conv1', mel, (graph, input) =>
    graph.within('convolutions', () => {
      const fine = gelu(graph, convolution(graph, input, model.hidden, { kernel: 3, padding: 1 }));
      const coarse = gelu(graph, convolution(graph, fine, model.hidden, { kernel: 3, stride: 2, padding: 1 }));
      // Sinusoids, which never learn.
      const table = { ...parameter(graph, places, model.hidden), requiresGradient: false };
      const sum = add(graph, permute(graph, coarse, 0, 2, 1), embedding(graph, builder.input([places]), table));
      return dropout(graph, sum, dropoutOf(model, run, 'dropout'));
    }),
  );
  const hidden = builder.layers({
    name: 'model.encoder.layers',
    count: model.layers,
    input: embedded,
    layer(graph, input) {
      const attended = sublayer(graph, model, run, input, 'attention-rest', (normed) =>
        attention(graph, model, run, normed, normed),
      );
      const fed = sublayer(graph, model, run, attended, 'mlp', (normed) => mlp(graph, model, run, normed));
      return fed.elementType === 'fp16' ? clamp(graph, fed) : fed;
    },
  });
  return builder.share(
    builder.outside('model.encoder.layer_norm', hidden, (graph, input) => layerNorm(graph, input, true)),
  );
}

/** `x + dropout(part(norm(x)))`. */
function sublayer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  name: PartKey,
  part: (normed: Tensor) => Tensor,
): Tensor {
  const normed = graph.within('norms', () => layerNorm(graph, input, true));
  return graph.within(name, () => add(graph, input, dropout(graph, part(normed), dropoutOf(model, run, 'dropout'))));
}

/** Queries are scaled ahead of the scores, and all three are copied into the order of the heads; keys have no bias. */
function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, source: Tensor): Tensor {
  return graph.within('attention-rest', () => {
    const heads = (projected: Tensor): Tensor => {
      const shape = [size(input, 0), size(projected, 1), model.heads, model.hidden / model.heads];
      return contiguous(graph, transpose(graph, view(graph, projected, shape), 1, 2));
    };
    const query = heads(scale(graph, linear(graph, input, model.hidden, true, 'q_proj')));
    const key = heads(linear(graph, source, model.hidden, false, 'k_proj'));
    const value = heads(linear(graph, source, model.hidden, true, 'v_proj'));
    const core = graph.within('attention-scores', () =>
      attentionCore(graph, run, { query, key, value }, undefined, {
        dropout: dropoutOf(model, run, 'attention_dropout'),
      }),
    );
    const joined = view(graph, transpose(graph, core, 1, 2), input.shape);
    return linear(graph, joined, model.hidden, true, 'out_proj');
  });
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const wide = activated(graph, model, linear(graph, input, model.feedForward, true, 'fc1'));
    const dropped = dropout(graph, wide, dropoutOf(model, run, 'activation_dropout'));
    return linear(graph, dropped, model.hidden, true, 'fc2');
  });
}
