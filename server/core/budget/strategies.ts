import type { StrategyName } from './account.ts';
import {
  everyNth,
  noCheckpoints,
  offloaded,
  type Plan,
  partRecomputed,
  segmentLength,
  segmentsOf,
  sequential,
  withPolicy,
} from './plan.ts';
import { savesEverySecondProduct, savesProductsAndAttention } from './policies.ts';

/** What a person can do about checkpointing, as plans over `layers` layers. */
export interface StrategyPlan {
  readonly name: StrategyName;
  readonly label: string;
  /** Layers in a segment. */
  readonly segment: number;
  readonly plan: Plan;
}

/** `wanted` layers in a segment, where a strategy has segments; as many as there are at most. */
export function strategyPlans(layers: number, wanted: number): readonly StrategyPlan[] {
  const segment = segmentLength(layers, wanted);
  return [
    { name: 'none', label: 'None', segment: 1, plan: noCheckpoints(layers) },
    { name: 'full', label: 'Full', segment, plan: segmentsOf(layers, segment) },
    {
      name: 'selective',
      label: 'Selective',
      segment: 1,
      plan: partRecomputed(layers, 'attention-scores'),
    },
    { name: 'every-second', label: 'Every second layer', segment: 1, plan: everyNth(layers, 2) },
    {
      name: 'sequential',
      label: 'checkpoint_sequential',
      segment: Math.floor(layers / Math.ceil(layers / segment)),
      plan: sequential(layers, Math.ceil(layers / segment)),
    },
    {
      name: 'policy',
      label: 'Matrix products and attention saved',
      segment: 1,
      plan: segmentsOf(layers, 1, withPolicy(savesProductsAndAttention)),
    },
    {
      name: 'policy-second',
      label: 'Every second matrix product saved',
      segment: 1,
      plan: segmentsOf(layers, 1, withPolicy(savesEverySecondProduct)),
    },
    { name: 'offload', label: 'Full, inputs offloaded', segment, plan: segmentsOf(layers, segment, offloaded) },
  ];
}
