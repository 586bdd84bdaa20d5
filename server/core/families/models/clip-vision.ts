import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { embedding, linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
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
import { plainMlp } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { joinedHeads, projectedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { numberSetting } from '../settings.ts';

/** CLIP's tower for images as transformers has it, up to the norm over its first token; what is made of that is not counted. */
export const family: Family = {
  name: 'clip-vision',
  label: 'CLIP (images)',
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
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (each) => layerNorm(graph, each, true),
          attention: (each) => attention(graph, model, runOfPatches(run, places), each),
          mlp: (each) => plainMlp(graph, model, each, true, { up: 'fc1', down: 'fc2' }),
        }),
    });
    builder.outside('post_layernorm', hidden, (graph, input) => layerNorm(graph, firstToken(graph, input), true));
  },

  problem: undividedHeadsProblem,
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const core = graph.within('attention-scores', () => attentionCore(graph, run, heads, 'fp32'));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'out_proj');
}
