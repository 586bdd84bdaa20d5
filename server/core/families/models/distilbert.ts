import { add, dropout, relu } from '../../graph/elementwise.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { activated } from '../blocks/activation.ts';
import { encoderHead, encoderHeadSettings, encoderProblem, firstToken } from '../blocks/encoderHeads.ts';
import { postNormLayer } from '../blocks/postNormEncoder.ts';
import type { Family } from '../family.ts';
import { dropoutOf } from '../settings.ts';

/** DistilBERT: BERT without token types, pooler and the dropout behind the attention. */
export const family: Family = {
  name: 'distilbert',
  label: 'DistilBERT',
  configs: [
    {
      name: 'DistilBertConfig',
      library: 'transformers',
      modelType: 'distilbert',
      arguments: {
        layers: 'n_layers',
        hidden: 'dim',
        heads: 'n_heads',
        feedForward: 'hidden_dim',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'activation',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: { hidden_size: 'dim', num_attention_heads: 'n_heads', num_hidden_layers: 'n_layers' },
      defaults: {
        n_layers: 6,
        dim: 768,
        n_heads: 12,
        hidden_dim: 3072,
        vocab_size: 30522,
        max_position_embeddings: 512,
        activation: 'gelu',
        tie_word_embeddings: true,
        dropout: 0.1,
        attention_dropout: 0.1,
        seq_classif_dropout: 0.2,
        qa_dropout: 0.1,
      },
      fixed: { bias: true },
      dropout: ['dropout', 'attention_dropout', 'seq_classif_dropout', 'qa_dropout'],
      settings: encoderHeadSettings,
    },
  ],

  forward(builder, model, run) {
    const ids = builder.input([run.batch, run.sequence]);
    const probability = dropoutOf(model, run, 'dropout');
    const weights = dropoutOf(model, run, 'attention_dropout');
    const words = builder.weight(model.vocabulary, model.hidden);
    const embedded = builder.outside('distilbert.embeddings', ids, (graph) => {
      const positions = builder.input([1, run.sequence]);
      const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
      const sum = add(graph, embedding(graph, ids, words), places);
      return dropout(graph, layerNorm(graph, sum, true), probability);
    });
    const hidden = builder.layers({
      name: 'distilbert.transformer.layer',
      count: model.layers,
      input: embedded,
      layer: (graph, input) =>
        postNormLayer(graph, model, run, input, linears, { weights, attended: 0, fed: probability }),
    });
    encoderHead(builder, model, hidden, {
      words,
      ids,
      activation: (graph, input) => activated(graph, model, input),
      classified(graph, input) {
        const first = linear(graph, firstToken(graph, input), model.hidden, true, 'pre_classifier');
        return dropout(graph, relu(graph, first), dropoutOf(model, run, 'seq_classif_dropout'));
      },
      tokenDropout: probability,
      answerDropout: dropoutOf(model, run, 'qa_dropout'),
    });
  },

  problem: encoderProblem,
};

const linears = {
  query: 'q_lin',
  key: 'k_lin',
  value: 'v_lin',
  attended: 'out_lin',
  up: 'lin1',
  down: 'lin2',
} as const;
