import type { ModelShape, RunShape } from '../../budget/account.ts';
import { convolution } from '../../graph/convolutions.ts';
import { cast } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { crossEntropy } from '../../graph/losses.ts';
import { linear, parameter } from '../../graph/products.ts';
import { concatenate, expand, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { numberSetting } from '../settings.ts';

/**
 * Models of images have no vocabulary, and their sequence is a number of patches, which follows from the image's size: the
 * run's own sequence length means nothing to them.
 */
export const imageModelSizes = { vocabulary: 1, maximumSequence: 1_048_576 } as const;

export type Sides = readonly [height: number, width: number];

/** One length for both sides, or `[height, width]`. */
export function sidesSetting(model: ModelShape, name: string, otherwise: number): Sides {
  const value = model.settings?.[name];
  const [height, width] = Array.isArray(value) ? value : [value, value];
  return [typeof height === 'number' ? height : otherwise, typeof width === 'number' ? width : otherwise];
}

/** How many patches an image has. */
export const patchCount = ([height, width]: Sides, [patchHeight, patchWidth]: Sides): number =>
  Math.floor(height / patchHeight) * Math.floor(width / patchWidth);

/** The run as attention sees it: each image is a sequence of its patches. */
export const runOfPatches = (run: RunShape, sequence: number): RunShape => ({ ...run, sequence });

/** `[batch, channels, height, width]` in the weights' type, as the training loop hands them over. */
export const imageBatch = (builder: ModelBuilder, [height, width]: Sides, channels: number): Tensor =>
  builder.input([builder.run.batch, channels, height, width], builder.precision.weights);

/** A convolution whose windows lie side by side: `[batch, patches, width]`. */
export function patchEmbedding(
  graph: GraphBuilder,
  images: Tensor,
  width: number,
  patch: Sides,
  bias: boolean,
): Tensor {
  const places = convolution(graph, images, width, { kernel: patch, stride: patch, bias });
  return transpose(graph, view(graph, places, [size(places, 0), width, -1]), 1, 2);
}

/** Learned tokens in front of the patches, one weight `[1, count, width]` for each of `counts`. */
export function withTokens(graph: GraphBuilder, patches: Tensor, counts: readonly number[]): Tensor {
  const [batch, width] = [size(patches, 0), size(patches, -1)];
  const tokens = counts.map((count) => expand(graph, parameter(graph, 1, count, width), [batch, count, width]));
  return tokens.length === 0 ? patches : concatenate(graph, [...tokens, patches], 1);
}

/**
 * A linear classifier over `[batch, features]` and its cross-entropy; without classes the features are the result, and what
 * is made of them is not counted. Logits of a model that is in 16 bits altogether are lifted to fp32 first; autocast leaves
 * that to the loss.
 */
export function classifier(graph: GraphBuilder, model: ModelShape, features: Tensor, name: string): Tensor {
  const classes = numberSetting(model, 'num_classes', 1000);
  if (classes === 0) return features;
  const logits = linear(graph, features, classes, true, name);
  const labels = newTensor([size(logits, 0)], 'int64', { role: 'input' });
  return crossEntropy(graph, graph.precision.autocast ? logits : cast(graph, logits, 'fp32'), labels);
}

/** Whether blocks leave out samples at random (stochastic depth): the first one never does, its rate being 0. */
export const dropsPath = (model: ModelShape, index: number, otherwise = 0): boolean =>
  index > 0 && numberSetting(model, 'drop_path_rate', otherwise) > 0;
