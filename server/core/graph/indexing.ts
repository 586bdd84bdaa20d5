import { underAutocast } from './autocast.ts';
import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import { record, recordAlong } from './record.ts';
import { type ElementType, newTensor, type Shape, size, type Tensor } from './tensor.ts';
import { selected } from './views.ts';

/** `input[..., i, ...]`: one entry of a dimension, as a view. */
export const select = (graph: GraphBuilder, input: Tensor, dimension: number): Tensor =>
  recordAlong(graph, 'select', [dimension], [input], selected(input, dimension));

/** `input[indices]`: rows picked by an int64 tensor of any shape. */
export const index = (graph: GraphBuilder, input: Tensor, indices: Tensor): Tensor =>
  record(graph, 'index', [input, indices], newTensor([...indices.shape, ...input.shape.slice(1)], input.elementType));

/** `input[a, b, ...]`: entries picked by one int64 tensor for each leading dimension, all of one shape. */
export function indexAt(graph: GraphBuilder, input: Tensor, places: readonly Tensor[]): Tensor {
  const shape = [...(places[0]?.shape ?? []), ...input.shape.slice(places.length)];
  return record(graph, 'index', [input, ...places], newTensor(shape, input.elementType));
}

export function indexSelect(graph: GraphBuilder, input: Tensor, dimension: number, indices: Tensor): Tensor {
  const shape = input.shape.with(dimension, size(indices, 0));
  return record(graph, 'indexSelect', [input, indices], newTensor(shape, input.elementType));
}

/** Sums or means of the embeddings of `ids`, one for each bag; `offsets` says where bags start. */
export function embeddingBag(graph: GraphBuilder, ids: Tensor, offsets: Tensor, weight: Tensor): Tensor {
  const result = newTensor([size(offsets, 0), size(weight, -1)], weight.elementType);
  const bagOfId = newTensor(ids.shape, 'int64');
  return record(graph, 'embeddingBag', [ids, offsets, weight], result, bagOfId, newTensor(offsets.shape, 'int64'));
}

export const gather = (graph: GraphBuilder, input: Tensor, indices: Tensor): Tensor =>
  record(graph, 'gather', [input, indices], newTensor(indices.shape, input.elementType));

export const scatter = (graph: GraphBuilder, into: Tensor, indices: Tensor, values: Tensor): Tensor =>
  written(graph, 'scatter', into, indices, values);
export const scatterAdd = (graph: GraphBuilder, into: Tensor, indices: Tensor, values: Tensor): Tensor =>
  written(graph, 'scatterAdd', into, indices, values);
export const indexAdd = (graph: GraphBuilder, into: Tensor, indices: Tensor, values: Tensor): Tensor =>
  written(graph, 'indexAdd', into, indices, values);
/** `index_add_`, which writes into the tensor it is given. */
export const indexAddInPlace = (graph: GraphBuilder, into: Tensor, indices: Tensor, values: Tensor): Tensor =>
  record(graph, 'indexAdd', [into, indices, values], into);
/** `into[indices] = values`, which writes into the tensor it is given. */
export const indexPutInPlace = (graph: GraphBuilder, into: Tensor, indices: Tensor, values: Tensor): Tensor =>
  record(graph, 'indexPut', [into, indices, values], into);

/** The largest `count` entries of the last dimension, and where they were. */
export function topk(graph: GraphBuilder, input: Tensor, count: number): readonly [Tensor, Tensor] {
  return valuesAndPlaces(graph, 'topk', input, input.shape.with(-1, count));
}

export function sort(graph: GraphBuilder, input: Tensor): readonly [Tensor, Tensor] {
  return valuesAndPlaces(graph, 'sort', input, input.shape);
}

/** `input[mask]` with a mask of the input's shape; how many entries it lets through only the data knows. */
export const indexByMask = (graph: GraphBuilder, input: Tensor, mask: Tensor, count: number): Tensor =>
  record(graph, 'index', [input, mask], newTensor([count], input.elementType));

/** `masked_select`: the same, yet the input is kept too. */
export const maskedSelect = (graph: GraphBuilder, input: Tensor, mask: Tensor, count: number): Tensor =>
  record(graph, 'maskedSelect', [input, mask], newTensor([count], input.elementType));

export const oneHot = (graph: GraphBuilder, indices: Tensor, classes: number): Tensor =>
  record(graph, 'oneHot', [indices], newTensor([...indices.shape, classes], 'int64'));

/** A comparison of any kind, with a tensor or a number: one byte for each element. */
export const compare = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'compare', [input], newTensor(input.shape, 'bool'));

/** Integer arithmetic with a number: nothing of it takes part in the backward pass. */
export const floorDivide = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'floorDivide', [input], newTensor(input.shape, input.elementType));

/** `max(dim)`: the largest entry along a dimension, and where it was. */
export function maximumWithIndices(graph: GraphBuilder, input: Tensor, dimension: number): readonly [Tensor, Tensor] {
  const at = dimension < 0 ? input.shape.length + dimension : dimension;
  return valuesAndPlaces(graph, 'maximumWithIndices', input, input.shape.toSpliced(at, 1));
}

/** `argmax`. */
export function largestIndex(graph: GraphBuilder, input: Tensor, dimension: number): Tensor {
  const at = dimension < 0 ? input.shape.length + dimension : dimension;
  return record(graph, 'largestIndex', [input], newTensor(input.shape.toSpliced(at, 1), 'int64'));
}

function valuesAndPlaces(
  graph: GraphBuilder,
  name: 'topk' | 'sort' | 'maximumWithIndices',
  input: Tensor,
  shape: Shape,
): readonly [Tensor, Tensor] {
  const results = graph.add(name, [input], [newTensor(shape, input.elementType), newTensor(shape, 'int64')]);
  const [values = input, places = input] = results;
  return [values, places];
}

function written(graph: GraphBuilder, name: OperationName, into: Tensor, indices: Tensor, values: Tensor): Tensor {
  const [target = into, places = indices, from = values] = underAutocast(graph, name, [into, indices, values]);
  const type: ElementType = target.elementType;
  return record(graph, name, [target, places, from], newTensor(target.shape, type));
}
