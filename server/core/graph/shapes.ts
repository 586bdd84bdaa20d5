import type { GraphBuilder } from './graph.ts';
import { record } from './record.ts';
import { elementCount, isContiguous, newTensor, type Shape, sameShape, size, type Tensor } from './tensor.ts';
import { expanded, resolved, sliced, transposed, viewed, withNewDimension } from './views.ts';

export function transpose(graph: GraphBuilder, input: Tensor, first: number, second: number): Tensor {
  return (
    graph.add('transpose', [input], [transposed(input, first, second)], { dimensions: [first, second] })[0] ?? input
  );
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

/** Equal parts along the last dimension, all over the same storage. */
export function split(graph: GraphBuilder, input: Tensor, parts: number): readonly Tensor[] {
  const part = sliced(input, -1, size(input, -1) / parts);
  return graph.add(
    'split',
    [input],
    Array.from({ length: parts }, () => part),
  );
}

export function concatenate(graph: GraphBuilder, inputs: readonly Tensor[]): Tensor {
  const [first] = inputs;
  const width = inputs.reduce((sum, input) => sum + size(input, -1), 0);
  return record(
    graph,
    'concatenate',
    inputs,
    newTensor((first?.shape ?? []).with(-1, width), first?.elementType ?? 'fp32'),
  );
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
