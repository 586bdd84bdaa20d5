import type { BackwardCall, Call } from '../operations.ts';
import { denseStrides, elementCount, newTensor, sameShape, size, type Tensor } from '../tensor.ts';
import { expanded, viewed } from '../views.ts';

/** What the rows have in common: which tensors an operation keeps, and what the gradients of its inputs cost. */

export const allInputs = ({ inputs }: Call): readonly Tensor[] => inputs;
export const everything = ({ inputs, outputs }: Call): readonly Tensor[] => [...inputs, ...outputs];
export const inputsAndSideOutputs = ({ inputs, outputs }: Call): readonly Tensor[] => [...inputs, ...outputs.slice(1)];
export const firstInput = ({ inputs }: Call): readonly Tensor[] => inputs.slice(0, 1);
export const secondInput = ({ inputs }: Call): readonly Tensor[] => inputs.slice(1, 2);
export const firstOutput = ({ outputs }: Call): readonly Tensor[] => outputs.slice(0, 1);
export const sideOutputs = ({ outputs }: Call): readonly Tensor[] => outputs.slice(1);
export const firstInputAndOutput = (call: Call): readonly Tensor[] => [...firstInput(call), ...firstOutput(call)];

/**
 * The input, or where the operation writes over it and still needs it, the copy that torch makes of it first: an in-place
 * call names that copy after the output.
 */
export const inputOrItsCopy = ({ inputs: [input], outputs: [output, copy] }: Call): readonly Tensor[] => {
  if (!input || !output) return [];
  if (input.storage !== output.storage) return [input];
  return copy ? [copy] : [];
};

/** Input, weight and statistics, but not the bias. */
export const allButBias = ({ inputs, outputs }: Call): readonly Tensor[] => [
  ...inputs.slice(0, 2),
  ...outputs.slice(1),
];

/** Of a product, each factor only if the other one needs a gradient. */
export const factorsOfEachOther = ({ inputs: [a, b] }: Call): readonly Tensor[] =>
  a && b ? [...(b.requiresGradient ? [a] : []), ...(a.requiresGradient ? [b] : [])] : [];

/** A gradient with a storage of its own for each input. */
export const fresh = ({ inputs }: Call): readonly Tensor[] =>
  inputs.map((input) => newTensor(input.shape, input.elementType));

/** The output's gradient itself, or its sum where the input was broadcast. */
export const passedOn = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) =>
    sameShape(input.shape, gradient.shape) ? gradient : newTensor(input.shape, input.elementType),
  );

/** The output's gradient in the input's shape, copied only where its strides do not allow a view. */
export const reshaped = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) => viewed(gradient, input.shape) ?? newTensor(input.shape, gradient.elementType));

/** The output's gradient seen once for each element that was summed up, without a copy. */
export const spread = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) =>
    gradient.shape.length === input.shape.length
      ? expanded(gradient, input.shape)
      : { ...gradient, shape: input.shape, strides: input.shape.map(() => 0) },
  );

/** New tensors that lie in memory as the gradient does; for a broadcast input, the sum. */
export const elementwise = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) =>
    sameShape(input.shape, gradient.shape)
      ? newTensor(input.shape, input.elementType, { strides: denseStrides(gradient) })
      : newTensor(input.shape, input.elementType),
  );

/** The same for products of two types: computed in the wider one, from which the engine casts them down afterwards. */
export const inTypeOfGradient = (call: BackwardCall): readonly Tensor[] =>
  elementwise(call).map((each) => newTensor(each.shape, call.gradient.elementType, { strides: each.strides }));

/** No gradient reaches the inputs: their result is integers, or a mask. */
export const none = ({ inputs }: Call): readonly undefined[] => inputs.map(() => undefined);

export const productFlops = ({ inputs: [left], outputs: [product] }: Call): number =>
  left && product ? 2 * elementCount(product.shape) * size(left, -1) : 0;
