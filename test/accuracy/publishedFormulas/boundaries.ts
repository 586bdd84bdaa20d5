/**
 * The peak over segments where a stored boundary costs its own `c` bytes instead of a whole layer's `A`. What the backward pass
 * needs besides is left out, so these stay a little under what an allocator sees. Written out for this comparison: the
 * correction of Chen et al. 2016 (arXiv 1604.06174, equation 1) for layers whose output is small beside what they keep.
 */
interface Boundaries {
  readonly L: number;
  readonly A: number;
  readonly c: number;
}

/** ceil(L/k)·c + k·A. */
export const segmentPeak = ({ L, A, c, k }: Boundaries & { k: number }): number => Math.ceil(L / k) * c + k * A;

/** transformers' `every_n_layers`: layer i is checkpointed where i % n = 0. */
export function everyNthPeak({ L, A, c, n }: Boundaries & { n: number }): number {
  const checkpointed = Math.ceil(L / n);
  return checkpointed * c + (L - checkpointed) * A + ((L - 1) % n === 0 ? A : 0);
}

/** L(1−m)A + mA: the attention cores of all layers dropped, one rebuilt. */
export const selectivePeak = ({ L, A, m }: Record<'L' | 'A' | 'm', number>): number => L * (1 - m) * A + m * A;

/** The segment length with the smallest peak. */
export const bestSegment = (args: Boundaries): number => smallest(args.L, (k) => segmentPeak({ ...args, k }));

/** The same where a loss of `H` bytes is live after the last boundary and before the first segment. */
export const bestSegmentWithHead = ({ L, A, c, H }: Boundaries & { H: number }): number =>
  smallest(L, (k) => Math.ceil(L / k) * c + Math.max(k * A, H));

/** Of layer inputs kept for backward, in a 16-bit model; what offloading them frees. */
export const boundaryBytes = ({ L, T, h }: Record<'L' | 'T' | 'h', number>): number => 2 * L * T * h;

function smallest(layers: number, peak: (k: number) => number): number {
  let best = 1;
  for (let k = 2; k <= layers; k++) if (peak(k) < peak(best)) best = k;
  return best;
}
