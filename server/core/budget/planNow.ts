import type { CheckpointingNow } from '../facts/facts.ts';
import {
  everyNth,
  noCheckpoints,
  type Plan,
  partRecomputed,
  segmentsOf,
  sequential,
  type Treatment,
  withPolicy,
} from './plan.ts';
import { savesEverySecondProduct, savesProductsAndAttention } from './policies.ts';

/** What the code does about checkpointing, as a plan over `layers` layers. */
export function planNow(now: CheckpointingNow, layers: number): Plan {
  if (now.mode === 'none') return noCheckpoints(layers);
  if (now.mode === 'selective') return partRecomputed(layers, 'attention-scores');
  const segment = Math.min(Math.max(1, now.segment), layers);
  if (now.mode === 'sequential') return sequential(layers, Math.ceil(layers / segment), treatmentOf(now));
  const checkpointed = Math.min(now.layers ?? layers, layers);
  const first =
    now.every === undefined
      ? segmentsOf(checkpointed, segment, treatmentOf(now))
      : everyNth(checkpointed, now.every, treatmentOf(now));
  return checkpointed === layers ? first : [...first, ...noCheckpoints(layers - checkpointed)];
}

function treatmentOf({ mode, variant, offloaded = false }: CheckpointingNow): Treatment {
  if (mode === 'policy') return withPolicy(savesProductsAndAttention);
  if (mode === 'policy-second') return withPolicy(savesEverySecondProduct);
  return { kind: 'checkpoint', reentrant: variant === 'reentrant', offloaded };
}
