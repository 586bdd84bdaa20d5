import type { RunShape } from '../../budget/account.ts';
import { softCap } from '../../graph/activations.ts';
import { pad } from '../../graph/arrangement.ts';
import { add, cast, dropout, lowPrecision, scale, where } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { efficientAttention, flashAttention, matrixProduct } from '../../graph/products.ts';
import { record } from '../../graph/record.ts';
import { softmax } from '../../graph/reductions.ts';
import { expand, repeatHeads, repeatInterleave, slice, transpose, view } from '../../graph/shapes.ts';
import { type ElementType, newTensor, size, type Tensor } from '../../graph/tensor.ts';

/** What really runs: eager, or the kernel that scaled_dot_product_attention takes. */
export type AttentionKernel = 'eager' | 'flash' | 'efficient' | 'math';

/**
 * The kernel behind `sdpa` on CUDA without a mask: FlashAttention for 16-bit tensors, the memory-efficient kernel for
 * fp32, which FlashAttention does not take. GPUs before Ampere have no FlashAttention, and bf16 no fused kernel at all there
 * (`check_flash_attention_hardware_support` and `use_mem_efficient_attention` in torch 2.13).
 */
export function attentionKernel(run: RunShape): AttentionKernel {
  if (run.attention === 'eager') return 'eager';
  if (run.attention === 'efficient' || run.attention === 'math') return run.attention;
  if (run.attention === 'sdpa' && run.beforeAmpere) return run.dataType === 'bf16' ? 'math' : 'efficient';
  return run.dataType === 'fp32' ? 'efficient' : 'flash';
}

/**
 * Whether scaled_dot_product_attention finds no kernel on CUDA: transformers hands it fewer key/value heads as they are
 * (`enable_gqa`), which the memory-efficient kernel of torch 2.13 does not take, and FlashAttention takes no fp32 and no old GPU.
 */
export const isWrittenOut = (run: RunShape, groups: number): boolean =>
  run.attention === 'sdpa' && groups > 1 && attentionKernel(run) === 'efficient';

/** Queries, keys and values, `[batch, heads, sequence, head]`; keys and values may have fewer heads. */
export interface Heads {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly value: Tensor;
}

export interface AttentionOptions {
  /** A mask that no kernel works out by itself, `[1, 1, sequence, sequence]` booleans. */
  readonly mask?: Tensor | undefined;
  /** Eager scores go through a soft cap (Gemma 2); fused kernels leave it out. */
  readonly softCap?: boolean;
  /** Probability, where it is not the run's. */
  readonly dropout?: number;
}

/**
 * The attention core of a decoder, `[batch, heads, sequence, head]` in and out. `softmaxType` is what eager code asks
 * softmax for: Llama fp32, GPT-2 the tensor's own type.
 */
export function attentionCore(
  graph: GraphBuilder,
  run: RunShape,
  { query, key, value }: Heads,
  softmaxType: ElementType | undefined,
  options: AttentionOptions = {},
): Tensor {
  const groups = size(query, 1) / size(key, 1);
  const kernel = attentionKernel(run);
  if (kernel === 'math' || (isWrittenOut(run, groups) && run.dataType !== 'fp32')) {
    const repeated = {
      query,
      key: repeatInterleave(graph, key, groups),
      value: repeatInterleave(graph, value, groups),
    };
    return plainAttention(graph, repeated, { dropout: options.dropout ?? run.dropout });
  }
  if (kernel === 'eager' || options.mask !== undefined) {
    const keys = repeatHeads(graph, key, groups);
    const values = repeatHeads(graph, value, groups);
    return kernel !== 'eager' && options.mask
      ? efficientAttention(graph, query, keys, values, additiveMask(graph, query, options.mask))
      : eagerAttention(graph, run, { query, key: keys, value: values }, softmaxType, options);
  }
  if (kernel === 'flash') return flashAttention(graph, query, key, value);
  if (isWrittenOut(run, groups)) return writtenOutAttention(graph, run, { query, key, value }, options);
  return efficientAttention(graph, query, repeatInterleave(graph, key, groups), repeatInterleave(graph, value, groups));
}

/**
 * The kernel scaled_dot_product_attention falls back to where no other takes the heads (torch's `SDPBackend.MATH`), written
 * out in torch: scores of 16-bit tensors are computed in fp32, and autocast is off within. Keys and values of one head are
 * seen by all query heads. A bias `[1, heads, queries, keys]` is added to the scores.
 */
export function plainAttention(
  graph: GraphBuilder,
  { query, key, value }: Heads,
  options: { readonly dropout?: number; readonly bias?: Tensor } = {},
): Tensor {
  const [batch, heads, rows, width] = [size(query, 0), size(query, 1), size(key, 2), size(key, 3)];
  const low = lowPrecision(graph, query);
  const wide = (input: Tensor): Tensor => cast(graph, lowPrecision(graph, input), 'fp32');
  const left = scale(graph, cast(graph, low, 'fp32'));
  const right = scale(graph, transpose(graph, wide(key), -1, -2));
  const product = fullProduct(graph, left, expand(graph, right, [batch, heads, width, rows]));
  const scores = options.bias ? add(graph, product, cast(graph, options.bias, 'fp32')) : product;
  const weights = dropout(graph, softmax(graph, scores), options.dropout ?? 0);
  const mixed = fullProduct(graph, weights, expand(graph, wide(value), [batch, heads, rows, size(value, 3)]));
  return cast(graph, mixed, low.elementType);
}

/** The same fallback for fp32 tensors with fewer key/value heads, causal by a mask that is made for each call. */
function writtenOutAttention(
  graph: GraphBuilder,
  run: RunShape,
  { query, key, value }: Heads,
  options: AttentionOptions,
): Tensor {
  const groups = size(query, 1) / size(key, 1);
  const sequence = size(query, 2);
  const left = scale(graph, query);
  const allowed = newTensor([sequence, sequence], 'bool');
  const mask = where(graph, allowed, newTensor([], 'fp32'), newTensor([], 'fp32'));
  const keys = repeatInterleave(graph, key, groups);
  const values = repeatInterleave(graph, value, groups);
  const scores = matrixProduct(graph, left, scale(graph, transpose(graph, keys, -1, -2)));
  const weights = softmax(graph, add(graph, scores, mask));
  return matrixProduct(graph, dropout(graph, weights, options.dropout ?? run.dropout), values);
}

/** `matrixProduct` of fp32 tensors that stay fp32 under autocast. */
function fullProduct(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const [batch, heads, rows, columns] = [size(a, 0), size(a, 1), size(a, 2), size(b, 3)];
  const left = view(graph, a, [batch * heads, rows, size(a, 3)]);
  const right = view(graph, b, [batch * heads, size(b, 2), columns]);
  const product = record(graph, 'batchedProduct', [left, right], newTensor([batch * heads, rows, columns], 'fp32'));
  return view(graph, product, [batch, heads, rows, columns]);
}

function eagerAttention(
  graph: GraphBuilder,
  run: RunShape,
  { query, key, value }: Heads,
  softmaxType: ElementType | undefined,
  options: AttentionOptions,
): Tensor {
  const plain = scale(graph, matrixProduct(graph, query, transpose(graph, key, -1, -2)));
  const scores = options.softCap ? softCap(graph, plain) : plain;
  const weights = cast(graph, softmax(graph, scores, softmaxType), value.elementType);
  return matrixProduct(graph, dropout(graph, weights, options.dropout ?? run.dropout), value);
}

/**
 * What scaled_dot_product_attention makes of booleans for its memory-efficient kernel: a number for each, of the queries'
 * type and for each sequence, in rows that start at multiples of 8, seen once for each head.
 */
function additiveMask(graph: GraphBuilder, query: Tensor, mask: Tensor): Tensor {
  const [batch, heads, sequence] = [size(query, 0), size(query, 1), size(query, 2)];
  const type = lowPrecision(graph, query).elementType;
  const number = (): Tensor => newTensor([], type);
  const bias = where(graph, expand(graph, mask, [batch, 1, sequence, sequence]), number(), number());
  const rest = sequence % 8;
  const aligned = rest === 0 ? bias : slice(graph, pad(graph, bias, [0, 8 - rest]), -1, sequence);
  return expand(graph, aligned, [batch, heads, sequence, sequence]);
}
