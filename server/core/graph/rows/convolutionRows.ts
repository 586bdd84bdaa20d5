import type { Call, OperationRow } from '../operations.ts';
import { elementCount } from '../tensor.ts';
import { fresh } from './rules.ts';

/** Inputs: input, weight, bias. Both are kept whichever of them needs a gradient: one backward call makes them all. */
const inputAndWeight = ({ inputs }: Call) => inputs.slice(0, 2);

/** Every weight is used once for each place of the `[batch, channels, ...places]` tensor. */
const flops = (weight: { readonly shape: readonly number[] }, places: { readonly shape: readonly number[] }): number =>
  2 * elementCount(weight.shape) * (places.shape[0] ?? 1) * elementCount(places.shape.slice(2));

export const convolutionRows = {
  convolution: {
    torch: 'convolution',
    keeps: inputAndWeight,
    gradients: fresh,
    flops: ({ inputs: [, weight], outputs: [output] }: Call) => (weight && output ? flops(weight, output) : 0),
    autocast: 'low',
  },
  transposedConvolution: {
    torch: 'convolution (transposed)',
    keeps: inputAndWeight,
    gradients: fresh,
    flops: ({ inputs: [input, weight] }: Call) => (weight && input ? flops(weight, input) : 0),
    autocast: 'low',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
