/**
 * Closed forms of what one block keeps, counted tensor by tensor from the model code of transformers (Apache-2.0) and, where
 * `fused`, of Liger-Kernel (BSD-2-Clause): 2-byte activations, torch 2 and later, no dropout. In bytes.
 */
export interface LlamaBlock {
  readonly b: number;
  readonly s: number;
  readonly h: number;
  readonly a: number;
  readonly kv: number;
  readonly I: number;
  readonly hd: number;
  readonly attn: 'eager' | 'sdpa_rep' | 'fa2';
  readonly norm: 'hf' | 'fused';
  readonly mlp: 'hf' | 'fused';
  readonly qk_norm: boolean;
}

export function llamaBlockBytes({ b, s, h, a, kv, I, hd, attn, norm, mlp, qk_norm }: LlamaBlock): number {
  const queries = a * hd;
  const keys = kv * hd;
  const attention = {
    eager: 8 * queries + 6 * a * s,
    sdpa_rep: 8 * queries + 4 * a,
    fa2: 4 * queries + 4 * keys + 4 * a,
  }[attn];
  const norms = (norm === 'hf' ? 16 : 8) * h + 8;
  const queryKeyNorms = qk_norm ? (norm === 'hf' ? 6 : 2) * (queries + keys) + 4 * (a + kv) : 0;
  return b * s * (norms + attention + (mlp === 'hf' ? 8 : 6) * I + queryKeyNorms);
}

/** torch 1 also kept the squared input of a mean, in fp32. */
export const torch1Extra = ({ b, s, h, a, kv, hd, norm, qk_norm }: LlamaBlock): number =>
  norm === 'hf' ? b * s * (8 * h + (qk_norm ? 4 * (a + kv) * hd : 0)) : 0;

/** A GPT block as PyTorch keeps it: Korthikanti's 34sbh + 5as²b and the statistics of two LayerNorms. */
export const gptBlockBytes = ({ b, s, h, a }: Record<'b' | 's' | 'h' | 'a', number>): number =>
  34 * s * b * h + 5 * a * s * s * b + 16 * b * s;
