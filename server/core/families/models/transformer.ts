import { layerNorm } from '../../graph/reductions.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import {
  handedIn,
  hiddenStates,
  torchDecoderLayer,
  torchEncoderLayer,
  torchLayerArguments,
  torchLayerConfig,
  torchLayerDefaults,
  torchLayerSettings,
} from '../blocks/torchLayers.ts';
import type { Family } from '../family.ts';
import { numberSetting } from '../settings.ts';

/**
 * `torch.nn.Transformer`: encoder and decoder, each with a norm at its end. Embeddings, head and loss are the caller's own
 * code and not counted. The run's sequence is the encoder's, its target sequence the decoder's.
 */
export const family: Family = {
  name: 'transformer',
  label: 'nn.Transformer',
  undivided: true,
  configs: [
    {
      ...torchLayerConfig,
      name: 'Transformer',
      arguments: { ...torchLayerArguments, layers: 'num_encoder_layers' },
      defaults: { ...torchLayerDefaults, d_model: 512, nhead: 8, num_encoder_layers: 6 },
      settings: { ...torchLayerSettings, num_decoder_layers: 6 },
    },
  ],

  forward(builder, model, run) {
    const encoded = builder.layers({
      name: 'encoder.layers',
      count: model.layers,
      input: handedIn(builder, 'src', hiddenStates(builder, model, run.sequence)),
      layer: (graph, input) => torchEncoderLayer(graph, model, run, input),
    });
    const memory = builder.share(
      builder.outside('encoder.norm', encoded, (graph, input) => layerNorm(graph, input, model.bias)),
    );
    const hidden = builder.layers({
      name: 'decoder.layers',
      count: numberSetting(model, 'num_decoder_layers', model.layers),
      input: handedIn(builder, 'tgt', hiddenStates(builder, model, run.targetSequence ?? run.sequence)),
      layer: (graph, input) => torchDecoderLayer(graph, model, run, input, memory),
    });
    builder.outside('decoder.norm', hidden, (graph, input) => layerNorm(graph, input, model.bias));
  },

  problem: undividedHeadsProblem,
};
