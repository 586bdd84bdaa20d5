import type { DataType } from '../facts/facts.ts';
import { storedBytes } from './storage.ts';
import { tensorElements, type WeightTensor } from './weights.ts';

export type Optimizer =
  /** torch's Adam and AdamW: two moments in the type of the weights, or in `stateType`. */
  | { readonly name: 'adamw'; readonly amsgrad?: boolean; readonly stateType?: DataType }
  | { readonly name: 'sgd'; readonly momentum: boolean }
  | { readonly name: 'lion'; readonly stateType?: DataType }
  /**
   * Factored second moment. torch keeps it in the type of the gradients and never a first moment; transformers keeps it in
   * fp32, with a first moment where `beta1` is given.
   */
  | { readonly name: 'adafactor'; readonly library: 'torch' | 'transformers'; readonly firstMoment: boolean }
  /** torch's Muon on the linear layers' matrices, AdamW on embeddings, head and vectors. */
  | { readonly name: 'muon' }
  | BitsandbytesOptimizer;

export interface BitsandbytesOptimizer {
  readonly name: 'bitsandbytes';
  readonly algorithm: 'adamw' | 'lion';
  readonly bits: 8 | 32;
  /** Large states lie in unified memory, which moves to the host when the device is full. */
  readonly paged: boolean;
  /** transformers' Trainer keeps the states of embeddings at 32 bits. */
  readonly embeddings32Bit: boolean;
}

/** One state of one tensor. */
export interface TensorState {
  readonly key: StateKey;
  readonly bytes: number;
  readonly paged: boolean;
}

export const stateLabels = {
  'first-moment': 'First moment',
  'second-moment': 'Second moment',
  'largest-second-moment': 'Largest second moment (amsgrad)',
  momentum: 'Momentum',
  'second-moment-rows': 'Second moment, rows',
  'second-moment-columns': 'Second moment, columns',
  'state-scales': 'Scales of 8-bit states',
} as const;

export type StateKey = keyof typeof stateLabels;

/**
 * What an optimizer keeps for one tensor after its first step; the counters of steps (4 bytes a tensor, on the host) are
 * left out. `elementType` is the type of the weights the optimizer works on. Checked against torch 2.13's own states in
 * `test/torch/proofs/optimizer-states.py`.
 */
export function tensorStates(
  optimizer: Optimizer,
  tensor: WeightTensor,
  elementType: DataType,
): readonly TensorState[] {
  const elements = tensorElements(tensor);
  const state = (key: StateKey, count = elements, type = elementType): TensorState => ({
    key,
    bytes: storedBytes(count, type),
    paged: false,
  });
  switch (optimizer.name) {
    case 'adamw': {
      const type = optimizer.stateType ?? elementType;
      const moments = [state('first-moment', elements, type), state('second-moment', elements, type)];
      return optimizer.amsgrad ? [...moments, state('largest-second-moment', elements, type)] : moments;
    }
    case 'sgd':
      return optimizer.momentum ? [state('momentum')] : [];
    case 'lion':
      return [state('momentum', elements, optimizer.stateType ?? elementType)];
    case 'muon':
      return usesMuon(tensor) ? [state('momentum')] : [state('first-moment'), state('second-moment')];
    case 'adafactor': {
      const type = optimizer.library === 'transformers' ? 'fp32' : elementType;
      const first = optimizer.firstMoment ? [state('first-moment', elements, type)] : [];
      const rows = tensor.shape.at(-2);
      const columns = tensor.shape.at(-1);
      if (rows === undefined || columns === undefined) return [...first, state('second-moment', elements, type)];
      return [
        ...first,
        state('second-moment-rows', elements / columns, type),
        state('second-moment-columns', elements / rows, type),
      ];
    }
    case 'bitsandbytes':
      return bitsandbytesStates(optimizer, tensor);
  }
}

/** torch's Muon takes matrices only; embeddings and the head are given to AdamW by convention. */
export const usesMuon = (tensor: WeightTensor): boolean => tensor.role === 'linear' && tensor.shape.length === 2;

/** Smaller tensors keep fp32 states (`min_8bit_size`). */
const fewestElementsFor8Bit = 4096;
/** Smaller states are not paged (`get_state_buffer`). */
const fewestElementsForPages = 100_000;
/** 8-bit states have one fp32 scale for so many values. */
const stateBlock = 256;

/** Block-wise 8-bit states and paging as in bitsandbytes 0.50, `optim/optimizer.py`. */
function bitsandbytesStates(optimizer: BitsandbytesOptimizer, tensor: WeightTensor): readonly TensorState[] {
  const elements = tensorElements(tensor);
  const keys: readonly StateKey[] = optimizer.algorithm === 'lion' ? ['momentum'] : ['first-moment', 'second-moment'];
  const is8Bit = has8BitStates(optimizer, tensor);
  const paged = optimizer.paged && elements >= fewestElementsForPages;
  const states = keys.map((key): TensorState => ({ key, bytes: elements * (is8Bit ? 1 : 4), paged }));
  if (!is8Bit) return states;
  const scales = keys.length * 4 * Math.ceil(elements / stateBlock);
  return [...states, { key: 'state-scales', bytes: scales, paged: false }];
}

export const has8BitStates = (optimizer: BitsandbytesOptimizer, tensor: WeightTensor): boolean =>
  optimizer.bits === 8 &&
  tensorElements(tensor) >= fewestElementsFor8Bit &&
  !(optimizer.embeddings32Bit && tensor.role === 'embedding');

/** The two tables of 256 fp32 values that all 8-bit states share. */
export const quantisationMapsBytes = 2 * 256 * 4;

/** Whether the optimizer's states depend on tensors' shapes and not on their total alone. */
export const needsShapes = (optimizer: Optimizer): boolean =>
  optimizer.name === 'adafactor' || optimizer.name === 'muon';
