import type { CheckpointingNow } from '../facts/facts.ts';
import {
  everyNth,
  noCheckpoints,
  type Plan,
  partRecomputed,
  segmentLength,
  segmentsOf,
  sequential,
  type Treatment,
  withPolicy,
} from './plan.ts';
import { savesEverySecondProduct, savesProductsAndAttention } from './policies.ts';

/** What the code does about checkpointing, as a plan over `layers` layers. */
export function planNow(now: CheckpointingNow, layers: number): Plan {
  if (now.mode === 'none') return noCheckpoints(layers);
  const segment = segmentLength(layers, now.segment);
  if (now.mode === 'sequential') return sequential(layers, segmentsNow(now, segment, layers), treatmentOf(now));
  const checkpointed = now.layers === undefined || now.layers >= layers ? layers : Math.max(0, Math.floor(now.layers));
  if (checkpointed === 0) return noCheckpoints(layers);
  const first =
    now.mode === 'selective'
      ? partRecomputed(checkpointed, 'attention-scores')
      : now.every === undefined
        ? segmentsOf(checkpointed, segment, treatmentOf(now))
        : everyNth(checkpointed, now.every, treatmentOf(now));
  return checkpointed === layers ? first : [...first, ...noCheckpoints(layers - checkpointed)];
}

/** The number that was asked for, as long as the length is the one that came of it: a length that is tried counts. */
function segmentsNow({ segments }: CheckpointingNow, segment: number, layers: number): number {
  const isOfCode = segments !== undefined && Math.max(1, Math.floor(layers / segments)) === segment;
  return isOfCode ? segments : Math.ceil(layers / segment);
}

function treatmentOf({ mode, variant, offloaded = false }: CheckpointingNow): Treatment {
  if (mode === 'policy') return withPolicy(savesProductsAndAttention);
  if (mode === 'policy-second') return withPolicy(savesEverySecondProduct);
  return { kind: 'checkpoint', reentrant: variant === 'reentrant', offloaded };
}
