/**
 * QLoRA's weights as bitsandbytes and PEFT store them (Dettmers et al. 2023, arXiv 2305.14314): NF4 without double
 * quantisation, everything that is not a linear layer in fp32 after `prepare_model_for_kbit_training`.
 */
export const packedWeights = ({ n }: { n: number }): number => n / 2;

/** One fp32 absmax for every 64 weights. */
export const quantizationScales = ({ n }: { n: number }): number => n / 16;

/** Embeddings, head, norms and biases. */
export const unquantizedWeights = ({ n }: { n: number }): number => 4 * n;

/** Plain bytes per parameter: accelerate's estimator and most tables. */
export const bytesPerParameter = ({ n, k }: Record<'n' | 'k', number>): number => n * k;
