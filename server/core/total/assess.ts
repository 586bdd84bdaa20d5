import type { ModelShape, RunShape, StrategyName } from '../budget/account.ts';
import { planNow } from '../budget/planNow.ts';
import { trainingStep } from '../budget/pytorch.ts';
import { simulate } from '../budget/simulate.ts';
import { strategyPlans } from '../budget/strategies.ts';
import type { Device } from '../devices/device.ts';
import { type SecondsRange, trainingSeconds } from '../devices/trainingSeconds.ts';
import type { CheckpointingNow, Quantisation } from '../facts/facts.ts';
import { attentionKernel } from '../families/blocks/attention.ts';
import type { DeviceGeneration } from '../states/allowance.ts';
import { type CheckpointingShare, whatCheckpointingCanLower } from '../states/checkpointingShare.ts';
import type { Problem } from '../states/problems.ts';
import type { StatesSetup } from '../states/setup.ts';
import { shareOfStep } from './extraStep.ts';
import { type PeakPart, peakParts } from './peakParts.ts';
import { rankShape } from './rankShape.ts';
import { type TotalMemory, type Totals, type TotalsResult, totalsOf } from './totalMemory.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** A model and its run as one rank trains it. */
export interface Training {
  readonly model: ModelShape;
  readonly run: RunShape;
  readonly now: CheckpointingNow;
  readonly setup: StatesSetup;
  /** Tensor-parallel ranks cut the residual stream along the sequence. */
  readonly sequenceParallel?: boolean | undefined;
  /** What the frozen base of adapters is quantised to. */
  readonly quantisation?: Quantisation | undefined;
  /** Undefined where nobody said what it runs on. */
  readonly device: Device | undefined;
}

export interface Assessment {
  /** For further questions about this rank (`advise`). */
  readonly totals: Totals;
  /** As the code stands. */
  readonly now: TotalMemory;
  /** What the device holds at the peak of `now`, part by part. */
  readonly parts: readonly PeakPart[];
  readonly verdict: Verdict | undefined;
  readonly strategies: readonly StrategyTotal[];
  readonly share: CheckpointingShare | undefined;
}

/** What one strategy would make of the whole memory. */
export interface StrategyTotal {
  readonly name: StrategyName;
  readonly label: string;
  readonly segment: number;
  readonly total: TotalMemory;
  readonly verdict: Verdict | undefined;
  /** Share of a step that is done again; a step is one forward and a backward of two forwards. */
  readonly extraStep: number;
  /** What that takes in each micro-batch; undefined where the device's rate is not known. */
  readonly extraSeconds: SecondsRange | undefined;
}

export type AssessResult =
  | { readonly assessment: Assessment; readonly problems: readonly [] }
  | { readonly assessment: undefined; readonly problems: readonly Problem[] };

/**
 * Whether a training fits, and what every strategy would change; `bytesText` writes bytes as the view does. Expects sizes
 * that `estimateBudget` has accepted and a family that has an account; otherwise there are problems. Takes a few milliseconds.
 */
export function assess(training: Training, bytesText: (bytes: number) => string): AssessResult {
  const { now, device } = training;
  const { totals, problems } = totalsOfTraining(training);
  if (totals === undefined) return { assessment: undefined, problems };
  const { stage } = totals;
  const plan = planNow(now, stage.layers);
  const current = totals.of(plan);
  const parts = peakParts(stage, plan, current);
  const strategies = strategyPlans(stage.layers, now.segment).map(({ name, label, segment, plan }): StrategyTotal => {
    const total = totals.of(plan);
    const { recomputedFlops } = simulate(stage, plan);
    return {
      name,
      label,
      segment,
      total,
      verdict: verdictOn(total, device),
      extraStep: shareOfStep(stage, recomputedFlops),
      extraSeconds: device && trainingSeconds(recomputedFlops, device, training.run.dataType),
    };
  });
  const least = Math.min(...strategies.map(({ total }) => total.peak.totalBytes));
  return {
    assessment: {
      totals,
      now: current,
      parts,
      verdict: verdictOn(current, device),
      strategies,
      share: shareOf(current.peak.totalBytes - least, parts, bytesText),
    },
    problems: [],
  };
}

/** The memory of a training's rank for whatever plan is asked. */
export function totalsOfTraining({
  model,
  run,
  setup,
  sequenceParallel,
  quantisation,
  device,
}: Training): TotalsResult {
  const rank = rankShape(model, run, setup);
  if (rank.problems.length > 0) return { totals: undefined, problems: rank.problems };
  const here: RunShape = isBeforeAmpere(device) ? { ...rank.run, beforeAmpere: true } : rank.run;
  const step = trainingStep(rank.model, here);
  if (step === undefined) return { totals: undefined, problems: [] };
  const kernel = attentionKernel(here);
  const attention = kernel === 'eager' || kernel === 'math' ? 'eager' : 'fused';
  return totalsOf({ step, setup, sequenceParallel, quantisation, generation: device?.generation, attention });
}

/** What decides which attention kernels there are. */
export const isBeforeAmpere = (device: Device | undefined): boolean =>
  device?.generation !== undefined && beforeAmpere.has(device.generation);

const beforeAmpere: ReadonlySet<DeviceGeneration> = new Set(['pascal', 'volta', 'turing']);

/** What checkpointing could free of the peak, beside what no checkpointing touches. */
function shareOf(
  freeableBytes: number,
  parts: readonly PeakPart[],
  bytesText: (bytes: number) => string,
): CheckpointingShare | undefined {
  const activationBytes = parts.reduce((sum, { isLowered, bytes }) => sum + (isLowered ? bytes : 0), 0);
  return whatCheckpointingCanLower(
    {
      fixed: parts.filter(({ isLowered }) => !isLowered),
      activationBytes,
      leastActivationBytes: Math.max(0, activationBytes - Math.max(0, freeableBytes)),
    },
    bytesText,
  ).share;
}
