import { add } from '../../graph/elementwise.ts';
import { embedding, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { clipLayer } from '../blocks/clipLayer.ts';
import { firstToken } from '../blocks/encoderHeads.ts';
import {
  imageBatch,
  imageModelSizes,
  patchCount,
  patchEmbedding,
  runOfPatches,
  sidesSetting,
  withTokens,
} from '../blocks/images.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import type { Family } from '../family.ts';
import { numberSetting } from '../settings.ts';

/** CLIP's tower for images as transformers has it, up to the norm over its first token; what is made of that is not counted. */
export const family: Family = {
  name: 'clip-vision',
  label: 'CLIP (images)',
  readsImages: true,
  configs: [
    {
      name: 'CLIPVisionConfig',
      library: 'transformers',
      modelType: 'clip_vision_model',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        feedForward: 'intermediate_size',
        activation: 'hidden_act',
      },
      aliases: {},
      defaults: {
        num_hidden_layers: 12,
        hidden_size: 768,
        num_attention_heads: 12,
        intermediate_size: 3072,
        hidden_act: 'quick_gelu',
        attention_dropout: 0,
      },
      fixed: { ...imageModelSizes, bias: true },
      dropout: ['attention_dropout'],
      settings: { image_size: 224, patch_size: 32, num_channels: 3 },
    },
  ],

  forward(builder, model, run) {
    const [image, patch] = [sidesSetting(model, 'image_size', 224), sidesSetting(model, 'patch_size', 32)];
    const places = patchCount(image, patch) + 1;
    const images = imageBatch(builder, image, numberSetting(model, 'num_channels', 3));
    const embedded = builder.outside('embeddings', images, (graph) => {
      const all = withTokens(graph, patchEmbedding(graph, images, model.hidden, patch, false), [1]);
      const positions = embedding(graph, builder.input([1, places]), parameter(graph, places, model.hidden));
      return layerNorm(graph, add(graph, all, positions), true);
    });
    const hidden = builder.layers({
      name: 'encoder.layers',
      count: model.layers,
      input: embedded,
      layer: (graph, input) => clipLayer(graph, model, runOfPatches(run, places), input),
    });
    builder.outside('post_layernorm', hidden, (graph, input) => layerNorm(graph, firstToken(graph, input), true));
  },

  problem: undividedHeadsProblem,
};
