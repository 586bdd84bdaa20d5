import type { StrategyName } from '../server/core/budget/account.ts';
import { checkpointingOf, strategyOf } from '../server/core/budget/strategyNow.ts';
import type {
  Adapters,
  AttentionImplementation,
  CheckpointingNow,
  DataType,
  Fact,
  OptimizerName,
  Quantisation,
  RunSettings,
  ShardingName,
} from '../server/core/facts/facts.ts';
import { t } from './l10n.ts';

/** Values a person tries in place of what the code says. */
export interface WhatIf {
  readonly batch?: number;
  readonly sequence?: number;
  readonly accumulation?: number;
  readonly strategy?: StrategyName;
  /** Layers in one segment, k. */
  readonly segment?: number;
  readonly dataType?: DataType;
  readonly autocast?: boolean;
  readonly attention?: AttentionImplementation;
  /** A fused or chunked loss, which keeps no logits. */
  readonly loss?: LossKind;
  readonly optimizer?: OptimizerName;
  readonly sharding?: ShardingName | 'none';
  /** Ranks that share the data. */
  readonly ranks?: number;
  /** Rank of LoRA matrices; 0 trains all weights. */
  readonly adapters?: number;
  readonly quantisation?: Quantisation | 'none';
}

export type WhatIfField = keyof WhatIf;
export type LossKind = 'plain' | 'fused' | 'chunked';

/** What the code says for everything that can be tried; what nothing says is what the budget takes then. */
export const valuesInCode = (run: RunSettings): Required<Omit<WhatIf, 'strategy'>> & Pick<WhatIf, 'strategy'> => {
  const strategy = strategyOf(run.checkpointing.value);
  return {
    batch: run.batch.value,
    sequence: run.sequence.value,
    accumulation: run.gradientAccumulation?.value ?? 1,
    ...(strategy && { strategy }),
    segment: run.checkpointing.value.segment,
    dataType: run.dataType.value,
    autocast: run.autocast.value,
    attention: run.attention.value,
    loss: run.fused?.value.loss ?? 'plain',
    optimizer: run.optimizer?.value ?? 'adamw',
    sharding: run.sharding?.value ?? 'none',
    ranks: run.dataParallel?.value ?? 1,
    adapters: run.adapters?.value.rank ?? 0,
    quantisation: run.quantisation?.value ?? 'none',
  };
};

/** Only what differs from the code: a value set back by hand is no what-if, else it would hide a later edit of the code. */
export function withoutCodeValues(whatIf: WhatIf, run: RunSettings | undefined): WhatIf {
  if (run === undefined) return whatIf;
  const inCode: WhatIf = valuesInCode(run);
  return Object.fromEntries(Object.entries(whatIf).filter(([field, value]) => value !== inCode[field as WhatIfField]));
}

/** Trying a length of segments means a strategy that has segments. */
export const segmentTried = (segment: number, strategy: StrategyName | undefined): WhatIf =>
  strategy !== undefined && !hasSegments(strategy) ? { segment, strategy: 'full' } : { segment };

/** Other strategies have regions of their own size. */
export const hasSegments = (name: StrategyName | undefined): boolean =>
  name === 'full' || name === 'sequential' || name === 'offload';

/** The run with what is tried in it, each such value marked as chosen. */
export function tryInRun(run: RunSettings, whatIf: WhatIf): RunSettings {
  const { gradientAccumulation, optimizer, sharding, dataParallel, adapters, quantisation, fused, ...plain } = run;
  // Autocast to fp32 does nothing, so trying fp32 means plain fp32 training.
  const autocast = whatIf.autocast ?? (whatIf.dataType === 'fp32' ? false : undefined);
  const rank = whatIf.adapters;
  const loss = whatIf.loss;
  return {
    ...plain,
    batch: chosen(run.batch, whatIf.batch),
    sequence: chosen(run.sequence, whatIf.sequence),
    dataType: chosen(run.dataType, whatIf.dataType),
    autocast: chosen(run.autocast, autocast),
    attention: chosen(run.attention, whatIf.attention),
    checkpointing: chosen(run.checkpointing, checkpointingTried(run.checkpointing.value, whatIf)),
    ...present('gradientAccumulation', gradientAccumulation, whatIf.accumulation),
    ...present('optimizer', optimizer, whatIf.optimizer),
    ...(whatIf.sharding === 'none' ? {} : present('sharding', sharding, whatIf.sharding)),
    ...present('dataParallel', dataParallel, whatIf.ranks),
    ...(rank === 0
      ? {}
      : present('adapters', adapters, rank === undefined ? undefined : { ...allLinear, ...adapters?.value, rank })),
    ...(whatIf.quantisation === 'none' ? {} : present('quantisation', quantisation, whatIf.quantisation)),
    ...present('fused', fused, loss === undefined ? undefined : withLoss(fused?.value ?? {}, loss)),
  };
}

/** What PEFT does when it is told only a rank and `target_modules="all-linear"`. */
const allLinear: Omit<Adapters, 'rank'> = { targets: 'all-linear', dropout: 0, elementType: 'fp32' };

function withLoss({ loss: _, ...others }: NonNullable<RunSettings['fused']>['value'], loss: LossKind) {
  return loss === 'plain' ? others : { ...others, loss };
}

function checkpointingTried(now: CheckpointingNow, { strategy, segment }: WhatIf): CheckpointingNow | undefined {
  if (strategy !== undefined) return checkpointingOf(strategy, segment ?? now.segment);
  return segment === undefined ? undefined : { ...now, segment };
}

const by = {
  kind: 'chosen',
  get by() {
    return t('the panel');
  },
} as const;

const chosen = <T>(fact: Fact<T>, value: T | undefined): Fact<T> =>
  value === undefined || value === fact.value ? fact : { value, origin: by };

/** A setting that may be absent, under its name. */
const present = <Name extends string, T>(
  name: Name,
  fact: Fact<T> | undefined,
  value: T | undefined,
): { readonly [K in Name]?: Fact<T> } => {
  const tried = value === undefined ? fact : fact === undefined ? { value, origin: by } : chosen(fact, value);
  return (tried === undefined ? {} : { [name]: tried }) as { readonly [K in Name]?: Fact<T> };
};
