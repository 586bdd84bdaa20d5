import { add } from '../../graph/elementwise.ts';
import { indexAt } from '../../graph/indexing.ts';
import { embedding, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { clipLayer } from '../blocks/clipLayer.ts';
import { causalMask } from '../blocks/masks.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import type { Family } from '../family.ts';

/** CLIP's tower for text as transformers has it, up to the hidden state of the last token; what is made of that is not counted. */
export const family: Family = {
  name: 'clip-text',
  label: 'CLIP (text)',
  configs: [
    {
      name: 'CLIPTextConfig',
      library: 'transformers',
      modelType: 'clip_text_model',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        feedForward: 'intermediate_size',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'hidden_act',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 12,
        hidden_size: 512,
        num_attention_heads: 8,
        intermediate_size: 2048,
        vocab_size: 49408,
        max_position_embeddings: 77,
        hidden_act: 'quick_gelu',
        attention_dropout: 0,
      },
      fixed: { bias: true },
      dropout: ['attention_dropout'],
    },
  ],

  forward(builder, model, run) {
    const ids = builder.input([run.batch, run.sequence]);
    causalMask(builder);
    const embedded = builder.outside('text_model.embeddings', ids, (graph) => {
      const positions = builder.input([1, run.sequence]);
      const places = embedding(graph, positions, parameter(graph, model.maximumSequence, model.hidden));
      return add(graph, embedding(graph, ids, parameter(graph, model.vocabulary, model.hidden)), places);
    });
    const hidden = builder.layers({
      name: 'text_model.encoder.layers',
      count: model.layers,
      input: embedded,
      layer: (graph, input) => clipLayer(graph, model, run, input),
    });
    builder.outside('text_model.final_layer_norm', hidden, (graph, input) => {
      const places = (): Tensor => newTensor([run.batch], 'int64');
      return indexAt(graph, layerNorm(graph, input, true), [places(), places()]);
    });
  },

  problem: undividedHeadsProblem,
};
