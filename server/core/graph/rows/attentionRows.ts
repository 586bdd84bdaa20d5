import type { Call, OperationRow } from '../operations.ts';
import { denseStrides, elementCount, newTensor, size, type Tensor, tensorBytes } from '../tensor.ts';
import { transposed } from '../views.ts';
import { everything } from './rules.ts';

/** Both products over all pairs of positions; what a causal kernel skips is not taken off. */
const attentionFlops = ({ inputs: [query, key, value] }: Call): number =>
  query && key && value
    ? 2 * elementCount(query.shape.slice(0, 3)) * size(key, 2) * (size(query, 3) + size(value, 3))
    : 0;

/** Gradients in the order in which the inputs lie in memory. */
const laidOutAsInputs = ({ inputs }: Call): readonly Tensor[] =>
  inputs.map((input) => newTensor(input.shape, input.elementType, { strides: denseStrides(input) }));

/** Gradients as `[batch, sequence, heads, head]`, seen transposed. */
const laidOutBySequence = ({ inputs }: Call): readonly Tensor[] =>
  inputs.map((input) => transposed(newTensor(transposed(input, 1, 2).shape, input.elementType), 1, 2));

/**
 * FlashAttention's backward pass adds up the query's gradient in fp32 and keeps a row sum for each query, over lengths rounded
 * up to 128 and heads to 32; with grouped heads it makes the gradients of key and value for every query head first
 * (mha_bwd in PyTorch's flash_api.cpp).
 */
function flashBackwardBytes({ inputs: [query, key] }: Call): number {
  if (!query || !key) return 0;
  const [batch, heads, length, width] = [size(query, 0), size(query, 1), size(query, 2), size(query, 3)];
  const rounded = 128 * Math.ceil(length / 128);
  const sums = 4 * batch * heads * rounded * (32 * Math.ceil(width / 32) + 1);
  const expandedPair = 2 * tensorBytes(newTensor([batch, size(key, 2), heads, width], key.elementType));
  return sums + (size(key, 1) === heads ? 0 : expandedPair);
}

/** Inputs: query, key, value, and a bias where there is one. Outputs: result, log-sum-exp, state of the random generator. */
export const attentionRows = {
  flashAttention: {
    torch: 'scaled_dot_product_attention (flash)',
    cudaTemporaryBytes: flashBackwardBytes,
    keeps: everything,
    gradients: laidOutAsInputs,
    flops: attentionFlops,
    random: true,
    autocast: 'low',
  },
  efficientAttention: {
    torch: 'scaled_dot_product_attention (efficient)',
    keeps: everything,
    gradients: laidOutBySequence,
    flops: attentionFlops,
    random: true,
    autocast: 'low',
  },
  cudnnAttention: {
    torch: 'scaled_dot_product_attention (cuDNN)',
    keeps: everything,
    gradients: laidOutAsInputs,
    flops: attentionFlops,
    random: true,
    autocast: 'low',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
