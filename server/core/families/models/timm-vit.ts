import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout, multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear, parameter } from '../../graph/products.ts';
import { dropPath } from '../../graph/randomness.ts';
import { layerNorm, mean } from '../../graph/reductions.ts';
import { slice } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { attentionCore, attentionKernel } from '../blocks/attention.ts';
import { firstToken } from '../blocks/encoderHeads.ts';
import {
  classifier,
  dropsPath,
  imageBatch,
  imageModelSizes,
  patchCount,
  patchEmbedding,
  runOfPatches,
  sidesSetting,
  withTokens,
} from '../blocks/images.ts';
import { packedHeads, unfusedAttention } from '../blocks/packedAttention.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { undividedHeadsProblem } from '../blocks/problems.ts';
import { joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting, textSetting } from '../settings.ts';

/** ViT and DeiT as timm 1.0 has them. `eager` is what `TIMM_FUSED_ATTN=0` asks for. */
export const family: Family = {
  name: 'timm-vit',
  label: 'ViT (timm)',
  readsImages: true,
  configs: [
    {
      name: 'VisionTransformer',
      library: 'timm',
      modelType: undefined,
      arguments: { layers: 'depth', hidden: 'embed_dim', heads: 'num_heads', bias: 'qkv_bias' },
      aliases: {},
      defaults: { depth: 12, embed_dim: 768, num_heads: 12, qkv_bias: true },
      fixed: { ...imageModelSizes, activation: 'gelu' },
      derived: {
        feedForward: {
          from: 'embed_dim * mlp_ratio',
          value: (of) => Math.trunc(Number(of('embed_dim')) * Number(of('mlp_ratio'))),
        },
      },
      dropout: ['drop_rate', 'pos_drop_rate', 'proj_drop_rate', 'attn_drop_rate'],
      settings: {
        img_size: 224,
        patch_size: 16,
        in_chans: 3,
        num_classes: 1000,
        mlp_ratio: 4,
        global_pool: 'token',
        class_token: true,
        reg_tokens: 0,
        no_embed_class: false,
        pre_norm: false,
        qk_norm: false,
        init_values: null,
        drop_path_rate: 0,
      },
    },
  ],

  forward(builder, model, run) {
    const [image, patch] = [sidesSetting(model, 'img_size', 224), sidesSetting(model, 'patch_size', 16)];
    const tokens = prefixTokens(model);
    const places = patchCount(image, patch) + tokens.reduce((sum, count) => sum + count, 0);
    const images = imageBatch(builder, image, numberSetting(model, 'in_chans', 3));
    const embedded = builder.outside('patch_embed', images, (graph) => embeddings(graph, model, run, images, patch));
    const hidden = builder.layers({
      name: 'blocks',
      count: model.layers,
      input: embedded,
      kind: (index) => (dropsPath(model, index) ? 'block with drop path' : 'block'),
      layer: (graph, input, index) => block(graph, model, runOfPatches(run, places), input, dropsPath(model, index)),
    });
    builder.outside('head', hidden, (graph, input) => {
      const pooled = pool(graph, model, input);
      return classifier(graph, model, dropout(graph, pooled, dropoutOf(model, run, 'drop_rate')), 'head');
    });
  },

  problem(model) {
    const pooling = textSetting(model, 'global_pool', 'token');
    if (pooling !== 'token' && pooling !== 'avg') return `no account for global_pool ${pooling}`;
    return undividedHeadsProblem(model);
  },
};

/** Class token and registers, each a weight of its own. */
function prefixTokens(model: ModelShape): readonly number[] {
  const registers = numberSetting(model, 'reg_tokens', 0);
  return [...(flagSetting(model, 'class_token', true) ? [1] : []), ...(registers > 0 ? [registers] : [])];
}

function embeddings(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  images: Tensor,
  patch: readonly [number, number],
): Tensor {
  const normsFirst = flagSetting(model, 'pre_norm', false);
  const patches = patchEmbedding(graph, images, model.hidden, patch, !normsFirst);
  const placed = (each: Tensor): Tensor => add(graph, each, parameter(graph, 1, size(each, 1), model.hidden));
  const all = flagSetting(model, 'no_embed_class', false)
    ? withTokens(graph, placed(patches), prefixTokens(model))
    : placed(withTokens(graph, patches, prefixTokens(model)));
  const dropped = dropout(graph, all, dropoutOf(model, run, 'pos_drop_rate'));
  return normsFirst ? layerNorm(graph, dropped, true) : dropped;
}

function block(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, drops: boolean): Tensor {
  const branch = (each: Tensor): Tensor => {
    const scaled =
      numberSetting(model, 'init_values', 0) > 0 ? multiply(graph, each, parameter(graph, model.hidden)) : each;
    return drops ? dropPath(graph, scaled) : scaled;
  };
  return preNormLayer(graph, input, {
    norm: (each) => layerNorm(graph, each, true),
    attention: (each) => branch(attention(graph, model, run, each)),
    mlp: (each) => branch(mlp(graph, model, run, each)),
  });
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const packed = packedHeads(graph, model, input);
  const normed = (each: Tensor): Tensor =>
    flagSetting(model, 'qk_norm', false) ? graph.within('norms', () => layerNorm(graph, each, true)) : each;
  const heads = { query: normed(packed.query), key: normed(packed.key), value: packed.value };
  const probability = dropoutOf(model, run, 'attn_drop_rate');
  const core = graph.within('attention-scores', () =>
    attentionKernel(run) === 'eager'
      ? unfusedAttention(graph, { dropout: probability }, heads)
      : attentionCore(graph, run, heads, undefined),
  );
  const output = linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'proj');
  return dropout(graph, output, dropoutOf(model, run, 'proj_drop_rate'));
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const probability = dropoutOf(model, run, 'proj_drop_rate');
  const wide = activated(graph, model, linear(graph, input, model.feedForward, true, 'fc1'));
  return dropout(graph, linear(graph, dropout(graph, wide, probability), model.hidden, true, 'fc2'), probability);
}

/** The class token of the normed states, or the norm of the patches' mean. */
function pool(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  if (textSetting(model, 'global_pool', 'token') === 'token') return firstToken(graph, layerNorm(graph, input, true));
  const prefix = prefixTokens(model).reduce((sum, count) => sum + count, 0);
  const patches = slice(graph, input, 1, size(input, 1) - prefix);
  return layerNorm(graph, mean(graph, patches, [1]), true);
}
