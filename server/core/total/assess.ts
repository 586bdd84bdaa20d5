import type { ModelShape, RunShape, StrategyName } from '../budget/account.ts';
import { planNow } from '../budget/planNow.ts';
import { trainingStep } from '../budget/pytorch.ts';
import { strategyPlans } from '../budget/strategies.ts';
import type { Device } from '../devices/device.ts';
import type { CheckpointingNow, Quantisation } from '../facts/facts.ts';
import { attentionKernel } from '../families/blocks/attention.ts';
import { type CheckpointingShare, whatCheckpointingCanLower } from '../states/checkpointingShare.ts';
import type { Problem } from '../states/problems.ts';
import type { StatesSetup } from '../states/setup.ts';
import { extraStepOf } from './extraStep.ts';
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
  const current = totals.of(planNow(now, stage.layers));
  const strategies = strategyPlans(stage.layers, now.segment).map(({ name, label, segment, plan }): StrategyTotal => {
    const total = totals.of(plan);
    return { name, label, segment, total, verdict: verdictOn(total, device), extraStep: extraStepOf(stage, plan) };
  });
  const least = Math.min(...strategies.map(({ total }) => total.peak.totalBytes));
  return {
    assessment: {
      totals,
      now: current,
      verdict: verdictOn(current, device),
      strategies,
      share: shareOf(current, least, bytesText),
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
  const step = trainingStep(rank.model, rank.run);
  if (step === undefined) return { totals: undefined, problems: [] };
  const attention = attentionKernel(run) === 'eager' ? 'eager' : 'fused';
  return totalsOf({ step, setup, sequenceParallel, quantisation, generation: device?.generation, attention });
}

/** What checkpointing could free of the peak, beside what no checkpointing touches. */
function shareOf(
  { peak, states }: TotalMemory,
  leastBytes: number,
  bytesText: (bytes: number) => string,
): CheckpointingShare | undefined {
  const phase =
    peak.phase === 'forward' || peak.phase === 'loss' ? 'forward' : peak.phase === 'step' ? 'step' : 'backward';
  const group = (name: string): number =>
    states.reduce(
      (sum, part) =>
        sum +
        (part.group === name && (part.place === 'device' || part.place === 'paged') && part.live.includes(phase)
          ? part.bytes
          : 0),
      0,
    );
  const freeable = Math.max(0, peak.totalBytes - leastBytes);
  return whatCheckpointingCanLower(
    {
      fixed: [
        { label: 'Parameters', bytes: group('parameters') },
        { label: 'Gradients', bytes: peak.gradientBytes },
        { label: 'Optimizer states', bytes: group('optimizer') },
        { label: 'Communication buffers', bytes: group('communication') },
      ],
      activationBytes: peak.activationBytes,
      leastActivationBytes: Math.max(0, peak.activationBytes - freeable),
    },
    bytesText,
  ).share;
}
