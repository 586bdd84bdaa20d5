import type { ModelShape, RunShape } from '../../budget/account.ts';
import { ownGelu } from '../../graph/activations.ts';
import { add, cast, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { select } from '../../graph/indexing.ts';
import { batchedProduct, batchedProductPlus, linear } from '../../graph/products.ts';
import { layerNorm, softmax } from '../../graph/reductions.ts';
import { transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting } from '../settings.ts';

/**
 * BLOOM: ALiBi added within the product of queries and keys, a norm after the embeddings. transformers has only eager
 * attention for it, so that is counted whatever the run asks for.
 */
export const family: Family = {
  name: 'bloom',
  label: 'BLOOM',
  configs: [
    {
      name: 'BloomConfig',
      library: 'transformers',
      modelType: 'bloom',
      arguments: {
        layers: 'n_layer',
        hidden: 'hidden_size',
        heads: 'n_head',
        vocabulary: 'vocab_size',
        maximumSequence: 'seq_length',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: { num_hidden_layers: 'n_layer', num_attention_heads: 'n_head', n_embed: 'hidden_size' },
      defaults: {
        n_layer: 2,
        hidden_size: 64,
        n_head: 8,
        vocab_size: 250880,
        seq_length: 2048,
        tie_word_embeddings: true,
        hidden_dropout: 0,
        attention_dropout: 0,
      },
      fixed: { bias: true, activation: 'gelu' },
      dropout: ['hidden_dropout', 'attention_dropout'],
      settings: { apply_residual_connection_post_layernorm: false },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder, { ...run, attention: 'eager' });
    const slopes = builder.share(newTensor([run.batch * model.heads, 1, run.sequence], builder.precision.weights));
    runDecoder(builder, model, {
      names: { embeddings: 'transformer.word_embeddings', layers: 'transformer.h' },
      embedded: (graph, words) => layerNorm(graph, words, true),
      layer: (graph, input) => layer(graph, model, run, input, slopes),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
    });
  },

  attention: () => 'eager',

  problem: undividedHeadsProblem,
};

function layer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, slopes: Tensor): Tensor {
  const norm = (hidden: Tensor): Tensor => graph.within('norms', () => layerNorm(graph, hidden, true));
  const dropped = (hidden: Tensor): Tensor => dropout(graph, hidden, dropoutOf(model, run, 'hidden_dropout'));
  const skipsNorm = !flagSetting(model, 'apply_residual_connection_post_layernorm', false);
  const normed = norm(input);
  const attended = graph.within('attention-rest', () =>
    add(graph, skipsNorm ? input : normed, dropped(attention(graph, model, run, normed, slopes))),
  );
  const normedAgain = norm(attended);
  return graph.within('mlp', () => {
    const wide = ownGelu(graph, linear(graph, normedAgain, model.feedForward, true, 'dense_h_to_4h'));
    const fed = linear(graph, wide, model.hidden, true, 'dense_4h_to_h');
    return add(graph, skipsNorm ? attended : normedAgain, dropped(fed));
  });
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, slopes: Tensor): Tensor {
  const { heads, headDimension } = model;
  const projected = linear(graph, input, 3 * model.heads * model.headDimension, true, 'query_key_value');
  const triples = view(graph, projected, [run.batch, run.sequence, heads, 3, headDimension]);
  const rows = (): Tensor =>
    view(graph, transpose(graph, select(graph, triples, 3), 1, 2), [run.batch * heads, run.sequence, headDimension]);
  const [query, key, value] = [rows(), rows(), rows()];
  const context = graph.within('attention-scores', () => {
    const scores = batchedProductPlus(graph, slopes, query, transpose(graph, key, -1, -2));
    const perHead = view(graph, scores, [run.batch, heads, run.sequence, run.sequence]);
    const weights = cast(graph, softmax(graph, perHead, 'fp32'), query.elementType);
    const kept = dropout(graph, weights, dropoutOf(model, run, 'attention_dropout'));
    return batchedProduct(graph, view(graph, kept, [run.batch * heads, run.sequence, run.sequence]), value);
  });
  const core = view(graph, context, [run.batch, heads, run.sequence, size(context, -1)]);
  return linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'dense');
}
