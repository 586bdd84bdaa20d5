/**
 * Megatron-LM, `megatron/training/theoretical_memory_usage.py`: activations with sequence parallelism and selective recomputation.
 * It knows no gated MLP, no grouped heads, no experts and no full recomputation. In bytes.
 */
export interface MegatronRun {
  readonly L: number;
  readonly b: number;
  readonly s: number;
  readonly h: number;
  readonly ffn: number;
  readonly v: number;
  readonly t?: number;
  readonly p?: number;
}

export function activationBytes({ L, b, s, h, ffn, v, t = 1, p = 1 }: MegatronRun): number {
  const layers = s * b * h * (18 + (4 * ffn) / h) * L;
  const embedding = 8 * s * b * p + s * b * h * p;
  const head = p === 1 ? 4 * s * b * h * (1 + v / h) : 0;
  return (layers + embedding + head) / t;
}

/** Weights and optimizer: 18 bytes a parameter, or 6 + 12/dp with the distributed optimizer. */
export const stateBytes = ({ n, dp }: { n: number; dp?: number }): number => n * (dp === undefined ? 18 : 6 + 12 / dp);
