import { activationRows } from './rows/activationRows.ts';
import { attentionRows } from './rows/attentionRows.ts';
import { convolutionRows } from './rows/convolutionRows.ts';
import { elementwiseRows } from './rows/elementwiseRows.ts';
import { indexingRows } from './rows/indexingRows.ts';
import { lossRows } from './rows/lossRows.ts';
import { normRows } from './rows/normRows.ts';
import { poolingRows } from './rows/poolingRows.ts';
import { productRows } from './rows/productRows.ts';
import { recurrentRows } from './rows/recurrentRows.ts';
import { reductionRows } from './rows/reductionRows.ts';
import { shapeRows } from './rows/shapeRows.ts';
import type { ElementType, Tensor } from './tensor.ts';

/**
 * One row per operation: what autograd keeps for its backward pass, what that backward pass allocates, its FLOPs, whether
 * it is random, whether its output is a view. Everything the PyTorch account says follows from these rows. An output that
 * is not the result proper (a dropout mask, the statistics of a norm, a log-sum-exp) is listed after it.
 */
export interface OperationRow {
  /** The operation of torch it stands for, by the name under which autocast knows it, with its overload if that matters. */
  readonly torch: string;
  /** Kept if a gradient flows through the operation. Parameters may be named; they are counted apart. */
  readonly keeps?: (call: Call) => readonly Tensor[];
  /** The gradient of each input. A tensor over a new storage costs memory, one over the gradient's storage does not. */
  readonly gradients: (call: BackwardCall) => readonly (Tensor | undefined)[];
  /** Bytes the backward pass has in use beside kept tensors and gradients while it runs. */
  readonly backwardTemporaryBytes?: (call: BackwardCall) => number;
  /** Beside those, what CUDA's kernel makes for a moment and the meta device, which runs none, does not. */
  readonly cudaTemporaryBytes?: (call: BackwardCall) => number;
  /** Forward FLOPs, 2 per multiply-add; only matrix products and convolutions count. */
  readonly flops?: (call: Call) => number;
  /** What CUDA's autocast does to floating inputs: nothing where absent, for then the inputs' own types decide. */
  readonly autocast?: Autocast;
  readonly random?: true;
  readonly view?: true;
}

/** `low`: cast to the compute type. `fp32`: cast up. `widest`: cast to the widest type among the inputs. */
export type Autocast = 'low' | 'fp32' | 'widest';

export interface Call {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** Of a transpose the two that changed places, of a permutation all in their new order, else those worked along. */
  readonly dimensions?: readonly number[];
  /** Of a softmax that was asked for another type: the type it was given. */
  readonly castFrom?: ElementType;
}

export interface BackwardCall extends Call {
  /** Gradient of the first output that has one. */
  readonly gradient: Tensor;
}

export type OperationName = keyof typeof rows;

export const operationNames = (): readonly OperationName[] => Object.keys(rows) as OperationName[];

export const operationRow = (name: OperationName): OperationRow => rows[name];

const rows = {
  ...elementwiseRows,
  ...activationRows,
  ...reductionRows,
  ...lossRows,
  ...normRows,
  ...productRows,
  ...attentionRows,
  ...convolutionRows,
  ...poolingRows,
  ...shapeRows,
  ...indexingRows,
  ...recurrentRows,
} as const satisfies Readonly<Record<string, OperationRow>>;
