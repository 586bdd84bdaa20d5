import type { BackwardCall, OperationRow } from '../operations.ts';
import { newTensor, size } from '../tensor.ts';
import { permuted, sliced, transposed } from '../views.ts';
import { firstInput, fresh, none, passedOn, reshaped } from './rules.ts';

export const shapeRows = {
  view: { torch: 'view', gradients: reshaped, view: true },
  copy: { torch: 'clone', gradients: reshaped },
  detach: { torch: 'detach', gradients: none, view: true },
  transpose: {
    torch: 'transpose.int',
    gradients: ({ gradient, dimensions: [first = -2, second = -1] = [] }: BackwardCall) => [
      transposed(gradient, first, second),
    ],
    view: true,
  },
  permute: {
    torch: 'permute',
    gradients: ({ gradient, dimensions = [] }: BackwardCall) => [
      permuted(
        gradient,
        dimensions.map((_, i) => dimensions.indexOf(i)),
      ),
    ],
    view: true,
  },
  expand: { torch: 'expand', gradients: passedOn, view: true },
  repeat: { torch: 'repeat', gradients: fresh },
  // The gradient of a slice, or of all parts of a split, is a whole tensor again.
  slice: { torch: 'slice.Tensor', gradients: fresh, view: true },
  select: { torch: 'select.int', gradients: fresh, view: true },
  split: { torch: 'split.Tensor', gradients: fresh, view: true },
  // Overlapping windows seen over one storage, as Tensor.unfold gives them.
  windows: { torch: 'unfold', gradients: fresh, view: true },
  concatenate: {
    torch: 'cat',
    gradients: ({ inputs, gradient, dimensions: [dimension = -1] = [] }: BackwardCall) =>
      inputs.map((input) => sliced(gradient, dimension, size(input, dimension))),
  },
  stack: {
    torch: 'stack',
    gradients: ({ inputs, gradient }: BackwardCall) =>
      inputs.map((input) => ({ ...gradient, shape: input.shape, strides: newTensor(input.shape, 'bool').strides })),
  },
  roll: { torch: 'roll', gradients: fresh },
  flip: { torch: 'flip', gradients: fresh },
  pad: { torch: 'constant_pad_nd', gradients: fresh },
  // By reflection or replication; only the shape of what is kept is ever used, yet it is kept.
  padByCopies: { torch: 'reflection_pad2d', keeps: firstInput, gradients: fresh },
  // Patches of an image as columns.
  imageToColumns: { torch: 'im2col', gradients: fresh },
  columnsToImage: { torch: 'col2im', gradients: fresh },
  pixelShuffle: { torch: 'pixel_shuffle', gradients: fresh },
} as const satisfies Readonly<Record<string, OperationRow>>;
