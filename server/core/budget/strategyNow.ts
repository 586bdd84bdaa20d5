import type { CheckpointingNow } from '../facts/facts.ts';
import type { StrategyName } from './account.ts';

/** Which of the strategies the code uses; undefined where it is none of them (every third layer, the first eight). */
export function strategyOf(now: CheckpointingNow): StrategyName | undefined {
  if (now.mode !== 'full') return now.mode;
  if (now.layers !== undefined) return undefined;
  if (now.every !== undefined && now.every !== 1) {
    return now.every === 2 && now.offloaded !== true ? 'every-second' : undefined;
  }
  return now.offloaded === true ? 'offload' : 'full';
}

/** What code would say that uses a strategy, in segments of `segment` layers where it has segments. */
export function checkpointingOf(strategy: StrategyName, segment: number): CheckpointingNow {
  switch (strategy) {
    case 'full':
    case 'sequential':
      return { mode: strategy, segment };
    case 'offload':
      return { mode: 'full', segment, offloaded: true };
    case 'every-second':
      return { mode: 'full', segment: 1, every: 2 };
    default:
      return { mode: strategy, segment: 1 };
  }
}
