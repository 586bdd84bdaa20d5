/**
 * GPT-2 in fp32 as transformers has it, counted for PyTorch's tutorial "Mosaic: Memory Profiling for PyTorch" (BSD-3-Clause);
 * Wijmans et al. 2024, "Cut Your Losses in Large-Vocabulary Language Models", arXiv 2411.09009, for the head. In bytes.
 */
interface Gpt2Run {
  readonly L: number;
  readonly T: number;
  readonly h: number;
  readonly v: number;
}

/** Each block checkpointed: block inputs, final norm in and out, logits and log-softmax, the embedding's dropout mask. */
export const checkpointedActivations = ({ L, T, h, v }: Gpt2Run): number => 4 * T * h * (L + 2) + 8 * T * v + T * h;

/** SDPA and the four-operation gelu. */
export const plainActivations = ({ L, T, h, v, a }: Gpt2Run & { a: number }): number =>
  L * T * (114 * h + 4 * a + 16) + 8 * T * h + 8 * T * v + T * h;

/** `x` bytes for each token and vocabulary entry: 12 loss, 14 loss and gradient in half precision; 16 in fp32. */
export const headBytes = ({ T, v, x }: Record<'T' | 'v' | 'x', number>): number => x * T * v;
