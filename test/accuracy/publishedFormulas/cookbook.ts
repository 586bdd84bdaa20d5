/**
 * EleutherAI's cookbook, `calc/calc_transformer_mem.py` (Apache-2.0): activations of a GPT with 16-bit tensors. Its
 * `--checkpoint-activations` counts 34sbhL, which is selective recomputation of the attention core.
 */
export function activationBytes(args: Record<'L' | 'b' | 's' | 'h' | 'a', number> & { checkpoint?: boolean }): number {
  const { L, b, s, h, a, checkpoint = false } = args;
  return checkpoint ? 34 * s * b * h * L : s * b * h * L * (10 + 24 + (5 * a * s) / h);
}
