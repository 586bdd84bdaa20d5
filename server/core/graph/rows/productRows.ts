import type { BackwardCall, Call, OperationRow } from '../operations.ts';
import { elementCount, size } from '../tensor.ts';
import { factorsOfEachOther, firstInput, fresh, passedOn, productFlops } from './rules.ts';

/** Of `sum + left @ right`, each factor only if the other one needs a gradient. */
const factorsAfterSum = ({ inputs }: Call) => factorsOfEachOther({ inputs: inputs.slice(1), outputs: [] });
const sumAndFactors = (call: BackwardCall) => [passedOn(call)[0], ...fresh(call).slice(1)];
const flopsAfterSum = ({ inputs, outputs }: Call) => productFlops({ inputs: inputs.slice(1), outputs });

export const productRows = {
  // Inputs: ids, weight.
  embedding: { torch: 'embedding', keeps: firstInput, gradients: fresh },
  // Inputs: ids, offsets, weight. Outputs: result, and the int64 notes of which id fell into which bag.
  embeddingBag: {
    torch: '_embedding_bag',
    keeps: ({ inputs, outputs }: Call) => [...inputs.slice(0, 2), ...outputs.slice(1)],
    gradients: fresh,
  },
  // Inputs: input, weight, bias. A frozen weight asks for no input, an input without gradient for no weight.
  linear: { torch: 'linear', keeps: factorsOfEachOther, gradients: fresh, flops: productFlops, autocast: 'low' },
  batchedProduct: { torch: 'bmm', keeps: factorsOfEachOther, gradients: fresh, flops: productFlops, autocast: 'low' },
  // Inputs: sum, left, right.
  batchedProductPlus: {
    torch: 'baddbmm',
    keeps: factorsAfterSum,
    gradients: sumAndFactors,
    flops: flopsAfterSum,
    autocast: 'low',
  },
  // Inputs: rows sorted by group, one matrix per group, where each group's rows end. Not on autocast's lists.
  groupedProduct: {
    torch: '_grouped_mm',
    keeps: ({ inputs: [rows, matrices, ends] }: Call) =>
      rows && matrices
        ? [...factorsOfEachOther({ inputs: [rows, matrices], outputs: [] }), ...(ends ? [ends] : [])]
        : [],
    gradients: fresh,
    flops: ({ inputs: [rows, matrices] }: Call) =>
      rows && matrices ? 2 * elementCount(rows.shape) * size(matrices, -1) : 0,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
