/**
 * fitcheck-llm (github.com/Anassbzdd/fitcheck, MIT), its model of LoRA and QLoRA on a T4: boundaries and head where
 * checkpointing is on, a count of the layers' tensors where it is off. `x` bytes a logit: 10 forward and 14 backward for a half
 * precision stream, 8 and 16 for an fp32 one (a base prepared for k-bit training). In bytes.
 */
interface Run {
  readonly L: number;
  readonly b: number;
  readonly s: number;
  readonly h: number;
  readonly v: number;
  readonly stream: 'half' | 'fp32';
}

export const checkpointedPeak = (run: Run): number => boundaries(run) + logits(run, run.stream === 'half' ? 14 : 16);

export const checkpointedForward = (run: Run): number => boundaries(run) + logits(run, run.stream === 'half' ? 10 : 8);

/** The layer's own hump under eager attention: 16 bytes a score, found empirically. */
export const eagerHump = ({ L, b, s, h, a }: Record<'L' | 'b' | 's' | 'h' | 'a', number>): number =>
  2 * L * b * s * h + 16 * b * a * s * s;

export interface LoraRun {
  readonly L: number;
  readonly b: number;
  readonly s: number;
  readonly h: number;
  readonly a: number;
  readonly hd: number;
  readonly I: number;
  readonly v: number;
  readonly r: number;
  readonly attn: 'sdpa' | 'eager';
}

/** LoRA in fp32 on q, k, v, o of a frozen half-precision base, nothing checkpointed. */
export function loraWithoutCheckpoints({ L, b, s, h, a, hd, I, v, r, attn }: LoraRun): number {
  const queries = a * hd;
  const attention = attn === 'sdpa' ? 8 * queries + 4 * a : 6 * queries + 6 * a * s;
  return b * s * (L * (20 * h + 8 + 4 * queries + attention + 6 * I + 16 * r) + 14 * v);
}

const boundaries = ({ L, b, s, h, stream }: Run): number => (stream === 'half' ? 2 : 4) * L * b * s * h;
const logits = ({ b, s, v }: Run, bytes: number): number => bytes * b * s * v;
