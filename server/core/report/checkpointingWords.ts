import type { CheckpointingNow } from '../facts/facts.ts';

/** What is checkpointed: `24 segments of 1 layer`, `One layer in 2, the first 12 of 24 layers`. */
export function checkpointingWords({ mode, segment, every, layers }: CheckpointingNow, ofLayers: number): string {
  if (mode === 'selective') return 'Attention core recomputed';
  if (mode === 'policy' || mode === 'policy-second') return 'Selective checkpointing';
  const first = Math.min(layers ?? ofLayers, ofLayers);
  const part = first < ofLayers ? `, the first ${first} of ${ofLayers} layers` : '';
  if (every !== undefined && every > 1) return `One layer in ${every}${part}`;
  const segments = Math.ceil(first / segment);
  return `${counted(segments, 'segment')} of ${counted(segment, 'layer')}${part}`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
