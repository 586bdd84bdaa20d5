import type { ModelShape } from '../../budget/account.ts';
import { inPlace } from '../../graph/activations.ts';
import { type ConvolutionOptions, convolution } from '../../graph/convolutions.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { batchNorm } from '../../graph/norms.ts';
import { adaptiveAveragePool, maxPool } from '../../graph/pooling.ts';
import { view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { classifier, imageBatch, imageModelSizes, sidesSetting } from '../blocks/images.ts';
import { frozenStagesProblem, stageDepths, total } from '../blocks/stages.ts';
import type { Family } from '../family.ts';
import { numberSetting, textSetting } from '../settings.ts';

/**
 * torchvision's ResNet, ResNeXt and Wide ResNet, and timm's, which keep the same. A layer is one residual block; the hidden
 * size is the last block's channels, the feed-forward width those inside of it, and there is one head for want of any.
 */
export const family: Family = {
  name: 'resnet',
  label: 'ResNet',
  readsImages: true,
  undivided: true,
  configs: [
    {
      name: 'ResNet',
      library: 'torchvision',
      modelType: undefined,
      arguments: {},
      aliases: {},
      defaults: {},
      fixed: { ...imageModelSizes, heads: 1, activation: 'relu', bias: false },
      derived: {
        layers: { from: 'sum(layers)', value: (of) => total(of('layers')) },
        hidden: { from: '512 * block.expansion', value: (of) => 512 * expansion(String(of('block'))) },
        feedForward: {
          from: '512 * width_per_group / 64 * groups',
          value: (of) => innerWidth(512, Number(of('width_per_group')), Number(of('groups'))),
        },
      },
      dropout: [],
      settings: {
        block: 'Bottleneck',
        layers: [3, 4, 6, 3],
        image_size: 224,
        num_classes: 1000,
        groups: 1,
        width_per_group: 64,
        replace_stride_with_dilation: null,
      },
    },
  ],

  forward(builder, model, run) {
    const images = imageBatch(builder, sidesSetting(model, 'image_size', 224), 3);
    let hidden = builder.outside('stem', images, (graph) => {
      const stem = inPlace.relu(graph, normed(graph, images, 64, { kernel: 7, stride: 2, padding: 3 }));
      return maxPool(graph, stem, { kernel: 3, stride: 2, padding: 1 });
    });
    for (const [stage, count] of stageDepths(model, 'layers', [3, 4, 6, 3]).entries()) {
      const first = { channels: 64 * 2 ** stage, stride: stage === 0 ? 1 : 2 };
      hidden = builder.layers({
        name: `layer${stage + 1}`,
        count,
        input: hidden,
        layer: (graph, input, index) =>
          residualBlock(graph, model, input, index === 0 ? first : { ...first, stride: 1 }),
      });
    }
    builder.outside('fc', hidden, (graph, input) => {
      const pooled = view(graph, adaptiveAveragePool(graph, input, [1, 1]), [run.batch, size(input, 1)]);
      return classifier(graph, model, pooled, 'fc');
    });
  },

  problem(model, run) {
    const dilated = model.settings?.replace_stride_with_dilation;
    if (Array.isArray(dilated) && dilated.includes(true))
      return 'dilated stages (replace_stride_with_dilation) have no account';
    return frozenStagesProblem(run);
  },
};

interface BlockSizes {
  readonly channels: number;
  readonly stride: number;
}

/** BasicBlock or Bottleneck: the sum and every activation are written over what is there already. */
function residualBlock(graph: GraphBuilder, model: ModelShape, input: Tensor, sizes: BlockSizes): Tensor {
  const isBottleneck = blockOf(model) === 'Bottleneck';
  const channels = sizes.channels * expansion(blockOf(model));
  const convolved = isBottleneck ? bottleneck(graph, model, input, sizes) : basic(graph, input, sizes);
  const isSame = sizes.stride === 1 && size(input, 1) === channels;
  const skipped = isSame ? input : normed(graph, input, channels, { kernel: 1, stride: sizes.stride });
  return inPlace.relu(graph, inPlace.add(graph, convolved, skipped));
}

function basic(graph: GraphBuilder, input: Tensor, { channels, stride }: BlockSizes): Tensor {
  const wide = inPlace.relu(graph, normed(graph, input, channels, { kernel: 3, stride, padding: 1 }));
  return normed(graph, wide, channels, { kernel: 3, padding: 1 });
}

function bottleneck(graph: GraphBuilder, model: ModelShape, input: Tensor, { channels, stride }: BlockSizes): Tensor {
  const groups = numberSetting(model, 'groups', 1);
  const width = innerWidth(channels, numberSetting(model, 'width_per_group', 64), groups);
  const narrow = inPlace.relu(graph, normed(graph, input, width, { kernel: 1 }));
  const middle = inPlace.relu(graph, normed(graph, narrow, width, { kernel: 3, stride, padding: 1, groups }));
  return normed(graph, middle, channels * expansion('Bottleneck'), { kernel: 1 });
}

const normed = (graph: GraphBuilder, input: Tensor, channels: number, window: ConvolutionOptions): Tensor => {
  const convolved = graph.within('convolutions', () => convolution(graph, input, channels, { ...window, bias: false }));
  return graph.within('norms', () => batchNorm(graph, convolved));
};

const blockOf = (model: ModelShape): string => textSetting(model, 'block', 'Bottleneck');

const expansion = (block: string): number => (block === 'Bottleneck' ? 4 : 1);

const innerWidth = (channels: number, widthPerGroup: number, groups: number): number =>
  Math.trunc((channels * widthPerGroup) / 64) * groups;
