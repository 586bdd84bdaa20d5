import type { GraphBuilder } from './graph.ts';
import { record, recordAlong } from './record.ts';
import { elementCount, isContiguous, newTensor, promoted, type Shape, sameShape, size, type Tensor } from './tensor.ts';
import { expanded, permuted, resolved, sliced, transposed, viewed, withNewDimension } from './views.ts';

export function transpose(graph: GraphBuilder, input: Tensor, first: number, second: number): Tensor {
  return recordAlong(graph, 'transpose', [first, second], [input], transposed(input, first, second));
}

/** The dimensions in another order, the first of them being the old one that `order` names first. */
export function permute(graph: GraphBuilder, input: Tensor, ...order: readonly number[]): Tensor {
  return recordAlong(graph, 'permute', order, [input], permuted(input, order));
}

/** `reshape`: a view where the strides allow it, else a copy. */
export function view(graph: GraphBuilder, input: Tensor, wanted: Shape): Tensor {
  const shape = resolved(wanted, elementCount(input.shape));
  if (sameShape(shape, input.shape)) return input;
  const seen = viewed(input, shape);
  return seen
    ? record(graph, 'view', [input], seen)
    : record(graph, 'copy', [input], newTensor(shape, input.elementType));
}

export function contiguous(graph: GraphBuilder, input: Tensor): Tensor {
  return isContiguous(input) ? input : record(graph, 'copy', [input], newTensor(input.shape, input.elementType));
}

export function slice(graph: GraphBuilder, input: Tensor, dimension: number, length: number): Tensor {
  return record(graph, 'slice', [input], sliced(input, dimension, length));
}

/** Equal parts along a dimension, the last by default, all over the same storage. */
export function split(graph: GraphBuilder, input: Tensor, parts: number, dimension = -1): readonly Tensor[] {
  const part = sliced(input, dimension, size(input, dimension) / parts);
  return graph.add(
    'split',
    [input],
    Array.from({ length: parts }, () => part),
  );
}

/** Parts of given lengths, as `split` with a list makes them. */
export function splitInto(
  graph: GraphBuilder,
  input: Tensor,
  lengths: readonly number[],
  dimension = -1,
): readonly Tensor[] {
  return graph.add(
    'split',
    [input],
    lengths.map((length) => sliced(input, dimension, length)),
  );
}

/** Along the last dimension by default. */
export function concatenate(graph: GraphBuilder, inputs: readonly Tensor[], dimension = -1): Tensor {
  const [first] = inputs;
  if (first === undefined) return newTensor([0], 'fp32');
  const at = dimension < 0 ? first.shape.length + dimension : dimension;
  const length = inputs.reduce((sum, input) => sum + size(input, at), 0);
  const type = inputs.reduce((widest, input) => promoted(widest, input.elementType), first.elementType);
  return recordAlong(graph, 'concatenate', [at], inputs, newTensor(first.shape.with(at, length), type));
}

export function expand(graph: GraphBuilder, input: Tensor, shape: Shape): Tensor {
  return record(graph, 'expand', [input], expanded(input, shape));
}

/** `Tensor.repeat`: so many times in each dimension, always by a copy. */
export function repeat(graph: GraphBuilder, input: Tensor, times: readonly number[]): Tensor {
  const shape = input.shape.map((length, i) => length * (times[i] ?? 1));
  return record(graph, 'repeat', [input], newTensor(shape, input.elementType));
}

/**
 * Each key/value head for all its query heads, `[b, kv, s, d]` to `[b, kv * times, s, d]`, by expanding and reshaping: a
 * copy, but for a single head, which can be seen many times without one.
 */
export function repeatHeads(graph: GraphBuilder, input: Tensor, times: number): Tensor {
  if (times === 1) return input;
  const [batch, heads, sequence, width] = [size(input, 0), size(input, 1), size(input, 2), size(input, 3)];
  const unsqueezed = record(graph, 'view', [input], withNewDimension(input, 2));
  const wide = record(graph, 'expand', [unsqueezed], expanded(unsqueezed, [batch, heads, times, sequence, width]));
  return view(graph, wide, [batch, heads * times, sequence, width]);
}

/** The same by `repeat_interleave`, which always copies. */
export function repeatInterleave(graph: GraphBuilder, input: Tensor, times: number): Tensor {
  if (times === 1) return input;
  return record(graph, 'repeat', [input], newTensor(input.shape.with(1, size(input, 1) * times), input.elementType));
}
