import type { ModelShape, RunShape, SettingValue } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { firstToken, sequenceLoss } from '../blocks/encoderHeads.ts';
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
import type { ConfigClassOfFamily } from '../configClass.ts';
import type { Family } from '../family.ts';
import { dropoutOf, numberSetting } from '../settings.ts';

const vitConfig = (name: string, modelType: string, settings: Readonly<Record<string, SettingValue>>) =>
  ({
    name,
    library: 'transformers',
    modelType,
    arguments: {
      layers: 'num_hidden_layers',
      hidden: 'hidden_size',
      heads: 'num_attention_heads',
      feedForward: 'intermediate_size',
      activation: 'hidden_act',
      bias: 'qkv_bias',
    },
    aliases: {},
    defaults: {
      num_hidden_layers: 12,
      hidden_size: 768,
      num_attention_heads: 12,
      intermediate_size: 3072,
      hidden_act: 'gelu',
      qkv_bias: true,
      hidden_dropout_prob: 0,
      attention_probs_dropout_prob: 0,
    },
    fixed: imageModelSizes,
    dropout: ['hidden_dropout_prob', 'attention_probs_dropout_prob'],
    settings: { image_size: 224, patch_size: 16, num_channels: 3, num_labels: 2, ...settings },
  }) as const satisfies ConfigClassOfFamily;

/**
 * ViT and DeiT as transformers has them, with a classifier over the first token, or without one where there are no labels.
 * `bias` is that of query, key and value.
 */
export const family: Family = {
  name: 'vit',
  label: 'ViT',
  readsImages: true,
  configs: [
    vitConfig('ViTConfig', 'vit', { distillation_token: false }),
    vitConfig('DeiTConfig', 'deit', { distillation_token: true }),
  ],

  forward(builder, model, run) {
    const [image, patch] = [sidesSetting(model, 'image_size', 224), sidesSetting(model, 'patch_size', 16)];
    const tokens = model.settings?.distillation_token === true ? [1, 1] : [1];
    const places = patchCount(image, patch) + tokens.length;
    const images = imageBatch(builder, image, numberSetting(model, 'num_channels', 3));
    const embedded = builder.outside('embeddings', images, (graph) => {
      const patches = patchEmbedding(graph, images, model.hidden, patch, true);
      const all = withTokens(graph, patches, tokens);
      return hiddenDropout(graph, model, run, add(graph, all, parameter(graph, 1, places, model.hidden)));
    });
    const hidden = builder.layers({
      name: 'layers',
      count: model.layers,
      input: embedded,
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (each) => layerNorm(graph, each, true),
          attention: (each) => attention(graph, model, runOfPatches(run, places), each),
          mlp: (each) =>
            hiddenDropout(graph, model, run, plainMlp(graph, model, each, true, { up: 'fc1', down: 'fc2' })),
        }),
    });
    builder.outside('classifier', hidden, (graph, input) => {
      const first = firstToken(graph, layerNorm(graph, input, true));
      const labels = numberSetting(model, 'num_labels', 2);
      if (labels === 0) return first;
      return sequenceLoss(graph, linear(graph, first, labels, true, 'classifier'), builder.input([run.batch]));
    });
  },

  problem: undividedHeadsProblem,
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, heads, 'fp32', { dropout: dropoutOf(model, run, 'attention_probs_dropout_prob') }),
  );
  return hiddenDropout(graph, model, run, linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'o_proj'));
}

const hiddenDropout = (graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor =>
  dropout(graph, input, dropoutOf(model, run, 'hidden_dropout_prob'));
