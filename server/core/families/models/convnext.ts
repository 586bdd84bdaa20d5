import type { ModelShape, RunShape } from '../../budget/account.ts';
import { convolution } from '../../graph/convolutions.ts';
import { add, dropout, gelu, multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { adaptiveAveragePool } from '../../graph/pooling.ts';
import { linear, parameter } from '../../graph/products.ts';
import { dropPath } from '../../graph/randomness.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { permute, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { classifier, dropsPath, imageBatch, imageModelSizes, sidesSetting } from '../blocks/images.ts';
import { frozenStagesProblem, numbers, perStage, stageDepths, total } from '../blocks/stages.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting, textSetting } from '../settings.ts';

const dimensions = [96, 192, 384, 768];

/**
 * ConvNeXt as timm 1.0 has it. A layer is one block; hidden size and feed-forward width are those of the last stage, and
 * there is one head for want of any.
 */
export const family: Family = {
  name: 'convnext',
  label: 'ConvNeXt',
  readsImages: true,
  undivided: true,
  configs: [
    {
      name: 'ConvNeXt',
      library: 'timm',
      modelType: undefined,
      arguments: { bias: 'conv_bias' },
      aliases: {},
      defaults: { conv_bias: true },
      fixed: { ...imageModelSizes, heads: 1, activation: 'gelu' },
      derived: {
        layers: { from: 'sum(depths)', value: (of) => total(of('depths')) },
        hidden: { from: 'dims[-1]', value: (of) => numbers(of('dims')).at(-1) ?? 0 },
      },
      dropout: ['drop_rate'],
      settings: {
        depths: [3, 3, 9, 3],
        dims: dimensions,
        kernel_sizes: 7,
        patch_size: 4,
        img_size: 224,
        in_chans: 3,
        num_classes: 1000,
        ls_init_value: 1e-6,
        drop_path_rate: 0,
        stem_type: 'patch',
        conv_mlp: false,
        use_grn: false,
        head_norm_first: false,
      },
    },
  ],

  forward(builder, model, run) {
    const images = imageBatch(builder, sidesSetting(model, 'img_size', 224), numberSetting(model, 'in_chans', 3));
    const widths = stageDepths(model, 'dims', dimensions);
    const depths = stageDepths(model, 'depths', [3, 3, 9, 3]);
    const kernels = perStage(model, 'kernel_sizes', 7, depths.length);
    let hidden = builder.outside('stem', images, (graph) => {
      const patch = numberSetting(model, 'patch_size', 4);
      return imageNorm(graph, windowed(graph, model, images, widths[0] ?? 1, patch));
    });
    let before = 0;
    for (const [stage, count] of depths.entries()) {
      if (stage > 0) {
        hidden = builder.outside(`stages.${stage}.downsample`, hidden, (graph, input) =>
          windowed(graph, model, imageNorm(graph, input), widths[stage] ?? 1, 2),
        );
      }
      const first = before;
      hidden = builder.layers({
        name: `stages.${stage}.blocks`,
        count,
        input: hidden,
        kind: (index) => (dropsPath(model, first + index) ? 'block with drop path' : 'block'),
        layer: (graph, input, index) =>
          block(graph, model, input, kernels[stage] ?? 7, dropsPath(model, first + index)),
      });
      before += count;
    }
    builder.outside('head', hidden, (graph, input) => head(graph, model, run, input));
  },

  problem(model, run) {
    const stem = textSetting(model, 'stem_type', 'patch');
    if (stem !== 'patch') return `no account for stem_type ${stem}`;
    const other = ['conv_mlp', 'use_grn', 'head_norm_first'].find((name) => flagSetting(model, name, false));
    if (other !== undefined) return `no account for ${other}`;
    return frozenStagesProblem(run);
  },
};

/** Depthwise convolution, norm and MLP over channels, scaled, and the input again. */
function block(graph: GraphBuilder, model: ModelShape, input: Tensor, kernel: number, drops: boolean): Tensor {
  const channels = size(input, 1);
  const spread = graph.within('convolutions', () =>
    convolution(graph, input, channels, { kernel, padding: (kernel - 1) / 2, groups: channels, bias: model.bias }),
  );
  const normed = graph.within('norms', () => layerNorm(graph, permute(graph, spread, 0, 2, 3, 1), true));
  const mixed = graph.within('mlp', () => {
    const wide = gelu(graph, linear(graph, normed, 4 * channels, true, 'fc1'));
    return permute(graph, linear(graph, wide, channels, true, 'fc2'), 0, 3, 1, 2);
  });
  const scaled =
    model.settings?.ls_init_value === null
      ? mixed
      : multiply(graph, mixed, view(graph, parameter(graph, channels), [1, -1, 1, 1]));
  return add(graph, drops ? dropPath(graph, scaled) : scaled, input);
}

function head(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const pooled = imageNorm(graph, adaptiveAveragePool(graph, input, [1, 1]));
  const flat = dropout(graph, view(graph, pooled, [size(input, 0), -1]), dropoutOf(model, run, 'drop_rate'));
  return classifier(graph, model, flat, 'fc');
}

/** LayerNorm over the channels of `[batch, channels, height, width]`. */
const imageNorm = (graph: GraphBuilder, input: Tensor): Tensor =>
  graph.within('norms', () => permute(graph, layerNorm(graph, permute(graph, input, 0, 2, 3, 1), true), 0, 3, 1, 2));

/** A convolution whose windows lie side by side. */
const windowed = (graph: GraphBuilder, model: ModelShape, input: Tensor, channels: number, length: number): Tensor =>
  graph.within('convolutions', () =>
    convolution(graph, input, channels, { kernel: length, stride: length, bias: model.bias }),
  );
