/**
 * The Ultrascale Playbook of Hugging Face (nanotron/ultrascale-playbook), the formulas behind its memory charts. Activations
 * are Korthikanti's; parameters are those of a GPT even where the chart names a Llama.
 */

/** N = hv + sh + L(12h² + 13h) + 2h: learned positions that grow with the sequence. */
export const gptParameters = ({ L, h, v, s }: Record<'L' | 'h' | 'v' | 's', number>): number =>
  h * v + s * h + L * (12 * h * h + 13 * h) + 2 * h;

/** `k` bytes for each of them: 2 or 4 parameters, 4 fp32 gradients, 8 Adam. */
export const gptState = (args: Record<'L' | 'h' | 'v' | 's' | 'k', number>): number => args.k * gptParameters(args);

export interface LlamaSizes {
  readonly L: number;
  readonly h: number;
  readonly a: number;
  readonly kv: number;
  readonly I: number;
  readonly v: number;
  readonly tied?: boolean;
  readonly hd?: number;
}

/** The matrices of a Llama without its norm weights. */
export const llamaMatrixParameters = ({ tied = false, ...sizes }: LlamaSizes): number =>
  sizes.L * layerParameters(sizes) + sizes.v * sizes.h * (tied ? 1 : 2);

export const llamaState = ({ k, shard = 1, ...sizes }: LlamaSizes & { k: number; shard?: number }): number =>
  (k * llamaMatrixParameters(sizes)) / shard;

/** The first of `p` pipeline stages: its share of the layers and one embedding. */
export const llamaFirstStageState = ({ k, p, ...sizes }: LlamaSizes & { k: number; p: number }): number =>
  k * ((sizes.L / p) * layerParameters(sizes) + sizes.v * sizes.h);

function layerParameters({ h, a, kv, I, hd = h / a }: LlamaSizes): number {
  return 2 * h * a * hd + 2 * h * kv * hd + 3 * h * I;
}
