import { add, dropout, tanh } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { expand } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { encoderHead, encoderHeadSettings, encoderProblem, firstToken } from '../blocks/encoderHeads.ts';
import { bertLinears, postNormLayer } from '../blocks/postNormEncoder.ts';
import type { Family } from '../family.ts';
import { dropoutOf, numberSetting } from '../settings.ts';

/** BERT: learned positions and token types, LayerNorm after each sum, attention without a mask. */
export const family: Family = {
  name: 'bert',
  label: 'BERT',
  configs: [
    {
      name: 'BertConfig',
      library: 'transformers',
      modelType: 'bert',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        feedForward: 'intermediate_size',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'hidden_act',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 12,
        hidden_size: 768,
        num_attention_heads: 12,
        intermediate_size: 3072,
        vocab_size: 30522,
        max_position_embeddings: 512,
        hidden_act: 'gelu',
        tie_word_embeddings: true,
        hidden_dropout_prob: 0.1,
        attention_probs_dropout_prob: 0.1,
      },
      fixed: { bias: true },
      dropout: ['hidden_dropout_prob', 'attention_probs_dropout_prob'],
      settings: { ...encoderHeadSettings, type_vocab_size: 2 },
    },
  ],

  forward(builder, model, run) {
    const ids = builder.input([run.batch, run.sequence]);
    const probability = dropoutOf(model, run, 'hidden_dropout_prob');
    const weights = dropoutOf(model, run, 'attention_probs_dropout_prob');
    const words = builder.weight(model.vocabulary, model.hidden);
    const embedded = builder.outside('bert.embeddings', ids, (graph) => {
      // Gathered from a table of zeros for one sequence, and seen by all of them.
      const types = expand(graph, newTensor([1, run.sequence], 'int64'), ids.shape);
      const kinds = embedding(graph, types, parameter(graph, numberSetting(model, 'type_vocab_size', 2), model.hidden));
      const positions = builder.input([1, run.sequence]);
      const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
      const sum = add(graph, add(graph, embedding(graph, ids, words), kinds), places);
      return dropout(graph, layerNorm(graph, sum, true), probability);
    });
    const hidden = builder.layers({
      name: 'bert.encoder.layer',
      count: model.layers,
      input: embedded,
      layer: (graph, input) =>
        postNormLayer(graph, model, run, input, bertLinears, { weights, attended: probability, fed: probability }),
    });
    encoderHead(builder, model, hidden, {
      words,
      ids,
      activation: (graph, input) => activated(graph, model, input),
      classified: (graph, input) => dropout(graph, pooler(graph, input), probability),
      pooler,
      tokenDropout: probability,
      answerDropout: 0,
    });
  },

  problem: encoderProblem,
};

const pooler = (graph: GraphBuilder, hidden: Tensor): Tensor =>
  tanh(graph, linear(graph, firstToken(graph, hidden), size(hidden, -1), true, 'dense'));
