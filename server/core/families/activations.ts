import type { ActivationFunction } from '../facts/facts.ts';

/**
 * The names of transformers' activation functions. A name that is missing here keeps other tensors than the known
 * ones do. `gelu_pytorch_tanh` is one fused operation and keeps its input, as `gelu` does.
 */
export const activationNames: Readonly<Record<string, ActivationFunction>> = {
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_pytorch_tanh: 'gelu',
  gelu_new: 'gelu_new',
  quick_gelu: 'quick_gelu',
  silu: 'silu',
  swish: 'silu',
  relu: 'relu',
};
