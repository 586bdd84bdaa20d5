import type { ModelShape, RunShape } from '../../budget/account.ts';
import { pad } from '../../graph/arrangement.ts';
import { convolution } from '../../graph/convolutions.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { dropPath } from '../../graph/randomness.ts';
import { layerNorm, mean } from '../../graph/reductions.ts';
import { permute, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { classifier, dropsPath, imageBatch, imageModelSizes, sidesSetting } from '../blocks/images.ts';
import { frozenStagesProblem, numbers, perStage, stageDepths, total } from '../blocks/stages.ts';
import { type WindowSizes, windowAttention } from '../blocks/windowAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting } from '../settings.ts';

const dropPathRate = 0.1;

/**
 * Swin Transformer as timm 1.0 has it, where attention within windows is never fused. A layer is one block; hidden size and
 * heads are those of the last stage.
 */
export const family: Family = {
  name: 'swin',
  label: 'Swin',
  readsImages: true,
  undivided: true,
  configs: [
    {
      name: 'SwinTransformer',
      library: 'timm',
      modelType: undefined,
      arguments: { bias: 'qkv_bias' },
      aliases: {},
      defaults: { qkv_bias: true },
      fixed: { ...imageModelSizes, activation: 'gelu' },
      derived: {
        layers: { from: 'sum(depths)', value: (of) => total(of('depths')) },
        hidden: {
          from: 'embed_dim * 2 ** (len(depths) - 1)',
          value: (of) => Number(of('embed_dim')) * 2 ** (numbers(of('depths')).length - 1),
        },
        heads: { from: 'num_heads[-1]', value: (of) => numbers(of('num_heads')).at(-1) ?? 0 },
      },
      dropout: ['drop_rate', 'proj_drop_rate', 'attn_drop_rate'],
      settings: {
        img_size: 224,
        patch_size: 4,
        in_chans: 3,
        num_classes: 1000,
        embed_dim: 96,
        depths: [2, 2, 6, 2],
        num_heads: [3, 6, 12, 24],
        window_size: 7,
        mlp_ratio: 4,
        always_partition: false,
        drop_path_rate: dropPathRate,
      },
    },
  ],

  forward(builder, model, run) {
    const images = imageBatch(builder, sidesSetting(model, 'img_size', 224), numberSetting(model, 'in_chans', 3));
    const depths = stageDepths(model, 'depths', [2, 2, 6, 2]);
    const heads = perStage(model, 'num_heads', 3, depths.length);
    const width = numberSetting(model, 'embed_dim', 96);
    let hidden = builder.outside('patch_embed', images, (graph) => {
      const patch = numberSetting(model, 'patch_size', 4);
      const patches = convolution(graph, images, width, { kernel: patch, stride: patch });
      return layerNorm(graph, permute(graph, patches, 0, 2, 3, 1), true);
    });
    let before = 0;
    for (const [stage, count] of depths.entries()) {
      if (stage > 0) {
        hidden = builder.outside(`layers.${stage}.downsample`, hidden, (graph, input) =>
          mergedPatches(graph, input, width * 2 ** stage),
        );
      }
      const first = before;
      const sizes = (index: number): WindowSizes =>
        windowSizes(model, [size(hidden, 1), size(hidden, 2)], index % 2 === 1, heads[stage] ?? 1);
      hidden = builder.layers({
        name: `layers.${stage}.blocks`,
        count,
        input: hidden,
        kind: (index) =>
          [
            sizes(index).isShifted ? 'shifted block' : 'block',
            dropsPath(model, first + index, dropPathRate) ? ' with drop path' : '',
          ].join(''),
        layer: (graph, input, index) =>
          block(graph, model, run, input, sizes(index), dropsPath(model, first + index, dropPathRate)),
      });
      before += count;
    }
    builder.outside('head', hidden, (graph, input) => {
      const pooled = mean(graph, layerNorm(graph, input, true), [1, 2]);
      const kept = dropout(graph, pooled, dropoutOf(model, run, 'drop_rate'));
      return classifier(graph, model, kept, 'fc');
    });
  },

  problem(model, run) {
    const [height, width] = sidesSetting(model, 'img_size', 224);
    const patch = numberSetting(model, 'patch_size', 4);
    if (height % patch > 0 || width % patch > 0) {
      return `images of ${height} by ${width} do not divide into patches of ${patch}`;
    }
    return frozenStagesProblem(run);
  },
};

/** Windows no larger than the image; where one takes all of it, nothing is shifted. */
function windowSizes(model: ModelShape, places: readonly [number, number], isOdd: boolean, heads: number): WindowSizes {
  const wanted = sidesSetting(model, 'window_size', 7);
  if (flagSetting(model, 'always_partition', false)) return { window: wanted, isShifted: isOdd, heads };
  const [height, width] = [Math.min(places[0], wanted[0]), Math.min(places[1], wanted[1])];
  return { window: [height, width], isShifted: isOdd && (places[0] > height || places[1] > width), heads };
}

function block(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  sizes: WindowSizes,
  drops: boolean,
): Tensor {
  const branch = (each: Tensor): Tensor => (drops ? dropPath(graph, each) : each);
  const normed = graph.within('norms', () => layerNorm(graph, input, true));
  const residual = graph.within('attention-rest', () =>
    add(graph, input, branch(windowAttention(graph, model, run, normed, sizes))),
  );
  const flat = view(graph, residual, [size(input, 0), -1, size(input, 3)]);
  const normedAgain = graph.within('norms', () => layerNorm(graph, flat, true));
  const fed = graph.within('mlp', () => add(graph, flat, branch(mlp(graph, model, run, normedAgain))));
  return view(graph, fed, input.shape);
}

function mlp(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const probability = dropoutOf(model, run, 'proj_drop_rate');
  const width = size(input, -1);
  const inner = Math.trunc(width * numberSetting(model, 'mlp_ratio', 4));
  const wide = dropout(graph, activated(graph, model, linear(graph, input, inner, true, 'fc1')), probability);
  return dropout(graph, linear(graph, wide, width, true, 'fc2'), probability);
}

/** Each two by two places become one of four times as many channels, of which `width` are made. */
function mergedPatches(graph: GraphBuilder, input: Tensor, width: number): Tensor {
  const [rows, columns] = [size(input, 1), size(input, 2)];
  const even = pad(graph, input, [0, 0, 0, columns % 2, 0, rows % 2]);
  const [batch, height, across, channels] = [size(even, 0), size(even, 1) / 2, size(even, 2) / 2, size(even, 3)];
  const apart = permute(graph, view(graph, even, [batch, height, 2, across, 2, channels]), 0, 1, 3, 4, 2, 5);
  const merged = view(graph, apart, [batch, height, across, 4 * channels]);
  return linear(graph, layerNorm(graph, merged, true), width, false, 'reduction');
}
