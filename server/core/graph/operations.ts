import { elementCount, newTensor, type Shape, sameShape, size, type Tensor, tensorBytes } from './tensor.ts';
import { sliced, transposed, viewed } from './views.ts';

/**
 * One row per operation: what autograd keeps for its backward pass, what that backward pass allocates, its FLOPs, whether
 * it is random, whether its output is a view. Everything the PyTorch account says follows from these rows. An output that
 * is not the result proper (a dropout mask, the statistics of a norm, a log-sum-exp) is listed after it.
 */
export interface OperationRow {
  /** Kept if a gradient flows through the operation. Parameters may be named; they are counted apart. */
  readonly keeps?: (call: Call) => readonly Tensor[];
  /** The gradient of each input. A tensor over a new storage costs memory, one over the gradient's storage does not. */
  readonly gradients: (call: BackwardCall) => readonly (Tensor | undefined)[];
  /** Bytes the backward pass has in use beside kept tensors and gradients while it runs. */
  readonly backwardTemporaryBytes?: (call: BackwardCall) => number;
  /** Forward FLOPs, 2 per multiply-add; only matrix products count. */
  readonly flops?: (call: Call) => number;
  readonly random?: true;
  readonly view?: true;
}

export interface Call {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** Of a transpose: the two dimensions that changed places. */
  readonly dimensions?: readonly [number, number];
}

export interface BackwardCall extends Call {
  /** Gradient of the first output that has one. */
  readonly gradient: Tensor;
}

const allInputs = ({ inputs }: Call): readonly Tensor[] => inputs;
const everything = ({ inputs, outputs }: Call): readonly Tensor[] => [...inputs, ...outputs];
const inputsAndSideOutputs = ({ inputs, outputs }: Call): readonly Tensor[] => [...inputs, ...outputs.slice(1)];
const firstInput = ({ inputs }: Call): readonly Tensor[] => inputs.slice(0, 1);
const firstOutput = ({ outputs }: Call): readonly Tensor[] => outputs.slice(0, 1);

/** A gradient with a storage of its own for each input. */
const fresh = ({ inputs }: Call): readonly Tensor[] => inputs.map((input) => newTensor(input.shape, input.elementType));
/** The output's gradient itself, or its sum where the input was broadcast. */
const passedOn = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) =>
    sameShape(input.shape, gradient.shape) ? gradient : newTensor(input.shape, input.elementType),
  );
/** The output's gradient in the input's shape, copied only where its strides do not allow a view. */
const reshaped = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) => viewed(gradient, input.shape) ?? newTensor(input.shape, gradient.elementType));
/** New tensors that lie in memory as the gradient does; for a broadcast input, the sum. */
const elementwise = ({ inputs, gradient }: BackwardCall): readonly Tensor[] =>
  inputs.map((input) =>
    sameShape(input.shape, gradient.shape)
      ? newTensor(input.shape, input.elementType, { strides: denseStrides(gradient) })
      : newTensor(input.shape, input.elementType),
  );

const attentionGradients = ({ inputs }: Call): readonly Tensor[] =>
  inputs.map((input) => transposed(newTensor(transposed(input, 1, 2).shape, input.elementType), 1, 2));
const productFlops = ({ inputs: [left], outputs: [product] }: Call): number =>
  left && product ? 2 * elementCount(product.shape) * size(left, -1) : 0;
/** Both products over all pairs of positions; what a causal kernel skips is not taken off. */
const attentionFlops = ({ inputs: [query, key] }: Call): number =>
  query && key ? 4 * elementCount(query.shape) * size(key, 2) : 0;

export type OperationName = keyof typeof rows;

export const operationRow = (name: OperationName): OperationRow => rows[name];

const rows = {
  // Elementwise.
  add: { gradients: passedOn },
  addScalar: { gradients: passedOn },
  scale: { gradients: elementwise },
  negate: { gradients: elementwise },
  cast: { gradients: elementwise },
  multiply: {
    // Each factor is needed for the other's gradient.
    keeps: ({ inputs: [a, b] }: Call) =>
      a && b ? [...(b.requiresGradient ? [a] : []), ...(a.requiresGradient ? [b] : [])] : [],
    gradients: elementwise,
    // The gradient of a broadcast factor is a whole product before it is summed up.
    backwardTemporaryBytes: ({ inputs, gradient }: BackwardCall) =>
      inputs.some((input) => input.requiresGradient && !sameShape(input.shape, gradient.shape))
        ? tensorBytes(gradient)
        : 0,
  },
  power: {
    keeps: firstInput,
    gradients: elementwise,
    // exponent · inputⁿ⁻¹ in two steps, beside the result.
    backwardTemporaryBytes: ({ gradient }: BackwardCall) => 2 * tensorBytes(gradient),
  },
  rsqrt: {
    keeps: firstOutput,
    gradients: elementwise,
    backwardTemporaryBytes: ({ gradient }: BackwardCall) => 2 * tensorBytes(gradient),
  },
  tanh: { keeps: firstOutput, gradients: elementwise },
  gelu: { keeps: firstInput, gradients: elementwise },
  silu: { keeps: firstInput, gradients: elementwise },
  relu: { keeps: firstOutput, gradients: elementwise },
  // Outputs: result, one byte per element for the mask.
  dropout: { keeps: ({ outputs }: Call) => outputs.slice(1), gradients: elementwise, random: true },

  // Reductions and norms.
  mean: { gradients: fresh },
  softmax: { keeps: firstOutput, gradients: fresh },
  logSoftmax: { keeps: firstOutput, gradients: fresh },
  // Inputs: log-probabilities, labels. Outputs: loss, total weight.
  nllLoss: { keeps: inputsAndSideOutputs, gradients: fresh },
  // Inputs: input, weight, bias. Outputs: result, mean, reciprocal standard deviation.
  layerNorm: { keeps: inputsAndSideOutputs, gradients: fresh },

  // Matrix products.
  // Inputs: ids, weight.
  embedding: { keeps: firstInput, gradients: fresh },
  // Inputs: input, weight, bias.
  linear: {
    keeps: ({ inputs }: Call) => inputs.slice(0, 2),
    gradients: fresh,
    flops: productFlops,
  },
  batchedProduct: {
    keeps: allInputs,
    gradients: fresh,
    flops: productFlops,
  },
  // Inputs: query, key, value. Outputs: result, log-sum-exp, the random generator's state.
  flashAttention: {
    keeps: everything,
    gradients: attentionGradients,
    flops: attentionFlops,
    random: true,
  },
  efficientAttention: {
    keeps: everything,
    gradients: attentionGradients,
    flops: attentionFlops,
    random: true,
  },

  // Shapes.
  view: { gradients: reshaped, view: true },
  copy: { gradients: reshaped },
  transpose: {
    gradients: ({ gradient, dimensions: [first, second] = [-2, -1] }: BackwardCall) => [
      transposed(gradient, first, second),
    ],
    view: true,
  },
  expand: { gradients: passedOn, view: true },
  repeat: { gradients: fresh },
  // The gradient of a slice, or of all parts of a split, is a whole tensor again.
  slice: { gradients: fresh, view: true },
  split: { gradients: fresh, view: true },
  concatenate: {
    gradients: ({ inputs, gradient }: BackwardCall) => inputs.map((input) => sliced(gradient, -1, size(input, -1))),
  },
} as const satisfies Readonly<Record<string, OperationRow>>;

/** The strides a new tensor gets when it follows another one's order of dimensions and has no gaps. */
export function denseStrides({ shape, strides }: Tensor): Shape {
  const outermostFirst = shape.map((_, i) => i).sort((i, j) => (strides[j] ?? 0) - (strides[i] ?? 0) || i - j);
  const dense = new Array<number>(shape.length);
  let stride = 1;
  for (const i of outermostFirst.toReversed()) {
    dense[i] = stride;
    stride *= shape[i] ?? 1;
  }
  return dense;
}
