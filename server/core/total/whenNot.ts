import type { Assessment } from './assess.ts';

/**
 * Reasons not to checkpoint, or not to hope for it, in sentences without a full stop; none where checkpointing is a sensible
 * thing to do. `extraNow` is the share of a step that the code does again as it stands.
 */
export function whenNotToCheckpoint(
  { now, strategies }: Assessment,
  extraNow: number,
  bytesText: (bytes: number) => string,
): readonly string[] {
  const none = strategies.find(({ name }) => name === 'none');
  if (none === undefined) return [];
  const sentences: string[] = [];
  const least = strategies.reduce((best, each) =>
    each.total.range.expected < best.total.range.expected ? each : best,
  );
  if (none.verdict?.outcome === 'fits') {
    const spare = bytesText(none.verdict.spareBytes);
    sentences.push(
      extraNow > 0
        ? `It also fits without checkpointing, with ${spare} to spare: without it a step does ${percent(extraNow / (1 + extraNow))} less work`
        : `It fits without checkpointing, with ${spare} to spare: recomputing would only cost time`,
    );
  }
  if (least.verdict !== undefined && strategies.every(({ verdict }) => verdict?.outcome === 'over')) {
    sentences.push(
      `No checkpointing makes it fit: the least that is left is ${bytesText(-least.verdict.spareBytes)} over`,
    );
  }
  if (none.total.peak.phase === 'step' && now.peak.phase === 'step') {
    sentences.push(
      'The peak is while the optimizer steps, when no activations are left: checkpointing cannot lower it',
    );
  }
  return sentences;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
