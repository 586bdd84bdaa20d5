import type { Call, OperationRow } from '../operations.ts';
import { denseStrides, elementCount, newTensor, size, type Tensor } from '../tensor.ts';
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

/** Inputs: query, key, value, and a bias where there is one. Outputs: result, log-sum-exp, state of the random generator. */
export const attentionRows = {
  flashAttention: {
    torch: 'scaled_dot_product_attention (flash)',
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
