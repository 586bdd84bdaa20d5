import { layerNorm } from '../../graph/reductions.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import {
  handedIn,
  hiddenStates,
  torchEncoderLayer,
  torchLayerArguments,
  torchLayerConfig,
  torchLayerDefaults,
  torchLayerSettings,
} from '../blocks/torchLayers.ts';
import type { Family } from '../family.ts';
import { flagSetting } from '../settings.ts';

/**
 * `torch.nn.TransformerEncoderLayer`, stacked as often as `torch.nn.TransformerEncoder` says. Embeddings, head and loss are
 * the caller's own code and not counted. A causal mask costs nothing; a padding mask is not followed.
 */
export const family: Family = {
  name: 'transformer-encoder',
  label: 'nn.TransformerEncoder',
  undivided: true,
  configs: [
    {
      ...torchLayerConfig,
      name: 'TransformerEncoderLayer',
      arguments: { ...torchLayerArguments, layers: 'num_layers' },
      // A layer that is not handed to an encoder stands alone.
      defaults: { ...torchLayerDefaults, num_layers: 1 },
      settings: { ...torchLayerSettings, final_norm: false },
    },
  ],

  forward(builder, model, run) {
    const hidden = builder.layers({
      name: 'layers',
      count: model.layers,
      input: handedIn(builder, 'src', hiddenStates(builder, model, run.sequence)),
      layer: (graph, input) => torchEncoderLayer(graph, model, run, input),
    });
    if (flagSetting(model, 'final_norm', false)) {
      builder.outside('norm', hidden, (graph, input) => layerNorm(graph, input, true));
    }
  },

  problem: undividedHeadsProblem,
};
