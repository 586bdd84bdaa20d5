import { countProblem, type Problem } from './problems.ts';

export interface MemoryShares {
  /** Lines that checkpointing does not touch: parameters, gradients, states, buffers, head and loss, allowance. */
  readonly fixed: readonly Untouched[];
  /** Activations of the layers as the code stands. */
  readonly activationBytes: number;
  /** The least that any checkpointing leaves of them: stored boundaries and the segment being recomputed. */
  readonly leastActivationBytes: number;
}

interface Untouched {
  /** `head`: the logits and what the loss makes of them; `allowance`: what the device takes beside tensors. */
  readonly key?: string;
  readonly label: string;
  readonly bytes: number;
}

export interface CheckpointingShare {
  readonly totalBytes: number;
  /** The most that checkpointing can free; 0 where it already runs at its least. */
  readonly freeableBytes: number;
  /** Of the total, from 0 to 1. */
  readonly freeableShare: number;
  /** In order of size: what stays whatever is checkpointed. */
  readonly untouched: readonly (Untouched & { readonly share: number })[];
  readonly sentences: readonly string[];
}

/** Below this share of the total, activations are not what fills the device. */
const notTheBottleneck = 0.2;

/**
 * How much of a budget checkpointing could lower at most, and what it cannot; `bytesText` writes bytes the way the rest of
 * the view does. All parts must be of the same moment: the peak.
 */
export function whatCheckpointingCanLower(
  memory: MemoryShares,
  bytesText: (bytes: number) => string,
): { readonly share: CheckpointingShare | undefined; readonly problems: readonly Problem[] } {
  const { fixed, activationBytes, leastActivationBytes } = memory;
  const most = Number.MAX_SAFE_INTEGER;
  const problems = [
    ...fixed.flatMap(({ label, bytes }) => countProblem(label, bytes, 0, most)),
    ...countProblem('activationBytes', activationBytes, 0, most),
    ...countProblem('leastActivationBytes', leastActivationBytes, 0, most),
  ];
  if (problems.length > 0) return { share: undefined, problems };
  const totalBytes = fixed.reduce((sum, { bytes }) => sum + bytes, activationBytes);
  const shareOf = (bytes: number): number => (totalBytes === 0 ? 0 : bytes / totalBytes);
  const freeableBytes = Math.max(0, activationBytes - leastActivationBytes);
  const untouched = fixed
    .filter(({ bytes }) => bytes > 0)
    .map((part) => ({ ...part, share: shareOf(part.bytes) }))
    .sort((a, b) => b.bytes - a.bytes);
  const share = { totalBytes, freeableBytes, freeableShare: shareOf(freeableBytes), untouched };
  return { share: { ...share, sentences: sentences(share, shareOf(activationBytes), bytesText) }, problems };
}

function sentences(
  { totalBytes, freeableBytes, freeableShare, untouched }: Omit<CheckpointingShare, 'sentences'>,
  activationShare: number,
  bytesText: (bytes: number) => string,
): readonly string[] {
  if (totalBytes === 0) return [];
  const [largest] = untouched;
  const total = bytesText(totalBytes);
  if (freeableBytes === 0) return [`Checkpointing can free nothing more of the ${total}`];
  const frees = `checkpointing frees at most ${bytesText(freeableBytes)} of ${total}`;
  if (largest === undefined || largest.share <= activationShare)
    return [`Activations are ${percent(activationShare)} of the memory: ${frees}`];
  const first = `${largest.label}: ${percent(largest.share)} of the memory, which no checkpointing lowers; ${frees}`;
  if (freeableShare >= notTheBottleneck || largest.key === 'allowance') return [first];
  return [
    first,
    largest.key === 'head'
      ? 'A fused or chunked loss, which never has all logits at once, lowers more'
      : `Activations are not what fills the device (${percent(activationShare)}): sharding, a smaller optimizer state or offload lowers more`,
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
