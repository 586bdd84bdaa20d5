import { contiguousStrides, elementCount, isContiguous, type Shape, size, type Tensor } from './tensor.ts';

/** Tensors over the same storage as another one. None of these moves a byte, so none of them costs memory. */

export function transposed(tensor: Tensor, first: number, second: number): Tensor {
  return { ...tensor, shape: swapped(tensor.shape, first, second), strides: swapped(tensor.strides, first, second) };
}

/** The dimensions in another order: the first new one is the old one that `order` names first. */
export function permuted(tensor: Tensor, order: readonly number[]): Tensor {
  const at = order.map((dimension) => (dimension < 0 ? tensor.shape.length + dimension : dimension));
  return {
    ...tensor,
    shape: at.map((dimension) => size(tensor, dimension)),
    strides: at.map((dimension) => tensor.strides[dimension] ?? 1),
  };
}

export function expanded(tensor: Tensor, shape: Shape): Tensor {
  const strides = shape.map((length, i) => (length === tensor.shape[i] ? (tensor.strides[i] ?? 0) : 0));
  return { ...tensor, shape, strides };
}

export function withNewDimension(tensor: Tensor, at: number): Tensor {
  const stride = (tensor.shape[at] ?? 1) * (tensor.strides[at] ?? 1);
  return { ...tensor, shape: tensor.shape.toSpliced(at, 0, 1), strides: tensor.strides.toSpliced(at, 0, stride) };
}

/** `length` entries of one dimension; which ones does not matter to memory. */
export function sliced(tensor: Tensor, dimension: number, length: number): Tensor {
  const at = dimension < 0 ? tensor.shape.length + dimension : dimension;
  return { ...tensor, shape: tensor.shape.with(at, length) };
}

/** One entry of a dimension, which is gone then. */
export function selected(tensor: Tensor, dimension: number): Tensor {
  const at = dimension < 0 ? tensor.shape.length + dimension : dimension;
  return { ...tensor, shape: tensor.shape.toSpliced(at, 1), strides: tensor.strides.toSpliced(at, 1) };
}

/** The tensor in another shape, or undefined where its strides allow it only as a copy. A `-1` is worked out. */
export function viewed(tensor: Tensor, wanted: Shape): Tensor | undefined {
  const shape = resolved(wanted, elementCount(tensor.shape));
  const strides = isContiguous(tensor) ? contiguousStrides(shape) : viewStrides(tensor, shape);
  return strides && { ...tensor, shape, strides };
}

export function resolved(wanted: Shape, elements: number): Shape {
  if (!wanted.includes(-1)) return wanted;
  const rest = wanted.reduce((product, length) => (length === -1 ? product : product * length), 1);
  return wanted.map((length) => (length === -1 ? elements / rest : length));
}

/**
 * The strides under which a tensor can be seen in another shape, by PyTorch's rule: the old dimensions are taken in runs
 * that lie evenly in memory, and each run must be divided into new dimensions of its own.
 */
function viewStrides(tensor: Tensor, shape: Shape): number[] | undefined {
  const strides = new Array<number>(shape.length);
  let next = shape.length - 1;
  let runStride = tensor.strides.at(-1) ?? 1;
  let runLength = 1;
  for (let i = tensor.shape.length - 1; i >= 0; i--) {
    runLength *= size(tensor, i);
    const outer = i === 0 ? undefined : size(tensor, i - 1);
    const runEnds = outer === undefined || (outer !== 1 && tensor.strides[i - 1] !== runLength * runStride);
    if (!runEnds) continue;
    let viewLength = 1;
    while (next >= 0 && (viewLength < runLength || shape[next] === 1)) {
      strides[next] = viewLength * runStride;
      viewLength *= shape[next] ?? 1;
      next--;
    }
    if (viewLength !== runLength) return undefined;
    if (i > 0) {
      runStride = tensor.strides[i - 1] ?? 1;
      runLength = 1;
    }
  }
  return next === -1 ? strides : undefined;
}

function swapped(values: Shape, first: number, second: number): Shape {
  const a = first < 0 ? values.length + first : first;
  const b = second < 0 ? values.length + second : second;
  return values.with(a, values[b] ?? 1).with(b, values[a] ?? 1);
}
