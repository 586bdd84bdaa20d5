import { layerNorm } from '../../graph/reductions.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import {
  handedIn,
  hiddenStates,
  torchDecoderLayer,
  torchLayerArguments,
  torchLayerConfig,
  torchLayerDefaults,
  torchLayerSettings,
} from '../blocks/torchLayers.ts';
import type { Family } from '../family.ts';
import { flagSetting } from '../settings.ts';

/**
 * `torch.nn.TransformerDecoderLayer`, stacked as often as `torch.nn.TransformerDecoder` says. The run's sequence is that of
 * the memory, its target sequence the decoder's own. Embeddings, encoder, head and loss are the caller's and not counted.
 */
export const family: Family = {
  name: 'transformer-decoder',
  label: 'nn.TransformerDecoder',
  undivided: true,
  configs: [
    {
      ...torchLayerConfig,
      name: 'TransformerDecoderLayer',
      arguments: { ...torchLayerArguments, layers: 'num_layers' },
      // A layer that is not handed to a decoder stands alone.
      defaults: { ...torchLayerDefaults, num_layers: 1 },
      settings: { ...torchLayerSettings, final_norm: false },
    },
  ],

  forward(builder, model, run) {
    const memory = builder.share(hiddenStates(builder, model, run.sequence));
    const hidden = builder.layers({
      name: 'layers',
      count: model.layers,
      input: handedIn(builder, 'tgt', hiddenStates(builder, model, run.targetSequence ?? run.sequence)),
      layer: (graph, input) => torchDecoderLayer(graph, model, run, input, memory),
    });
    if (flagSetting(model, 'final_norm', false)) {
      builder.outside('norm', hidden, (graph, input) => layerNorm(graph, input, true));
    }
  },

  problem: undividedHeadsProblem,
};
