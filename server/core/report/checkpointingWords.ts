import type { CheckpointingNow } from '../facts/facts.ts';

/** What is checkpointed: `24 segments of 1`, `One layer in 2, the first 12 of 24 layers`. */
export function checkpointingWords({ mode, segment, every, layers }: CheckpointingNow, ofLayers: number): string {
  if (mode === 'selective') return 'Attention core recomputed';
  if (mode === 'policy' || mode === 'policy-second') return 'Selective checkpointing';
  const first = Math.min(layers ?? ofLayers, ofLayers);
  const part = first < ofLayers ? `, the first ${first} of ${ofLayers} layers` : '';
  if (every !== undefined && every > 1) return `One layer in ${every}${part}`;
  const segments = Math.ceil(first / segment);
  return `${segments} ${segments === 1 ? 'segment' : 'segments'} of ${segment}${part}`;
}
