import type { RunShape } from '../budget/account.ts';
import type { Plan } from '../budget/plan.ts';
import { planNow } from '../budget/planNow.ts';
import { readsImages } from '../budget/readsImages.ts';
import type { Step } from '../budget/step.ts';
import type { Device } from '../devices/device.ts';
import { attentionKernel } from '../families/blocks/attention.ts';
import { largestThatFits } from '../planner/largest.ts';
import { cheapestPlan, type PlannedStep, paretoPlans } from '../planner/planner.ts';
import { type Assessment, isBeforeAmpere, type Training, totalsOfTraining } from './assess.ts';
import { extraStepOf, shareOfStep } from './extraStep.ts';
import type { Totals } from './totalMemory.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** What could be done, and how far one could go. All questions are about the expected allowance. */
export interface Advice {
  /** Memory against recomputation, from no recomputation to the least memory. */
  readonly pareto: readonly ParetoPoint[];
  /** The least recomputation that fits the device; undefined without a device or where nothing fits. */
  readonly cheapest: ParetoPoint | undefined;
  readonly largest: readonly Largest[];
  /** What would make it fit or leave more room, cheapest first. */
  readonly remedies: readonly Remedy[];
}

export interface ParetoPoint {
  readonly plan: Plan;
  readonly totalBytes: number;
  /** Share of a step done again. */
  readonly extraStep: number;
}

/**
 * The largest micro-batch and sequence that fit, the other one left as it is; no sequence beyond the model's positions.
 * Undefined where not even the smallest one fits.
 */
export interface Largest {
  readonly with: 'now' | 'full';
  readonly batch: number | undefined;
  readonly sequence: number | undefined;
  /** Whether the memory depends on the sequence at all: that of a model of images does not. */
  readonly hasSequence: boolean;
}

export interface Remedy {
  /** Stable key: `checkpoint-every-layer`, `optimizer-8bit`. */
  readonly key: string;
  readonly label: string;
  readonly totalBytes: number;
  readonly savedBytes: number;
  readonly verdict: Verdict | undefined;
  /** Share of a step done again, on top of what is done now. */
  readonly extraStep: number;
}

/** Takes tens of milliseconds, hundreds where every block is its own piece (Swin): not for every move of a slider. */
export function advise(training: Training, assessment: Assessment): Advice {
  const { device } = training;
  const { stage, of } = assessment.totals;
  const full = { mode: 'full', segment: 1 } as const;
  return {
    pareto: paretoPlans(stage).map((planned) => pointOf(stage, planned, of)),
    cheapest: device && cheapestOn(device, stage, of),
    largest:
      device === undefined ? [] : [largestWith('now', training), largestWith('full', { ...training, now: full })],
    remedies: remedies(training, assessment),
  };
}

function cheapestOn({ memoryBytes }: Device, stage: Step, of: Totals['of']): ParetoPoint | undefined {
  const found = cheapestPlan(stage, ({ plan }) => of(plan).range.expected <= memoryBytes);
  return found && pointOf(stage, found, of);
}

const pointOf = (stage: Step, { plan, recomputedFlops }: PlannedStep, of: Totals['of']): ParetoPoint => ({
  plan,
  totalBytes: of(plan).range.expected,
  extraStep: shareOfStep(stage, recomputedFlops),
});

const mostBatch = 65_536;
/** Sequences are compared in steps of this, as kernels like them. */
const sequenceStep = 128;

function largestWith(name: Largest['with'], training: Training): Largest {
  const fits = (change: Partial<RunShape>): boolean =>
    (expectedNow({ ...training, run: { ...training.run, ...change } })?.verdict?.spareBytes ?? -1) >= 0;
  const { run } = training;
  const longest = Math.max(training.model.maximumSequence, run.sequence);
  const sequenceOf = (steps: number): number => Math.min(longest, steps * sequenceStep);
  const hasSequence = !readsImages(training.model.family);
  const steps = hasSequence
    ? largestThatFits((count) => fits({ sequence: sequenceOf(count) }), Math.ceil(longest / sequenceStep))
    : undefined;
  return {
    with: name,
    batch: largestThatFits((batch) => fits({ batch }), mostBatch),
    sequence: steps && sequenceOf(steps),
    hasSequence,
  };
}

/** The memory of a training as its code stands, without the strategies beside it. */
function expectedNow(
  training: Training,
): { readonly totalBytes: number; readonly verdict: Verdict | undefined } | undefined {
  const { totals } = totalsOfTraining(training);
  if (totals === undefined) return undefined;
  const total = totals.of(planNow(training.now, totals.stage.layers));
  return { totalBytes: total.range.expected, verdict: verdictOn(total, training.device) };
}

function remedies(training: Training, assessment: Assessment): readonly Remedy[] {
  const { run, setup, now } = training;
  const current = assessment.now.range.expected;
  const { stage } = assessment.totals;
  const extraOf = (checkpointing: Training['now']): number => extraStepOf(stage, planNow(checkpointing, stage.layers));
  const remedy = (key: string, label: string, change: Partial<Training>): readonly Remedy[] => {
    const result = expectedNow({ ...training, ...change });
    if (result === undefined || result.totalBytes >= current) return [];
    const extraStep = change.now === undefined ? 0 : Math.max(0, extraOf(change.now) - extraOf(now));
    return [{ key, label, ...result, savedBytes: current - result.totalBytes, extraStep }];
  };
  const half = Math.floor(run.batch / 2);
  return [
    ...(attentionKernel(run) === 'eager'
      ? remedy('fused-attention', 'Fused attention (sdpa)', { run: { ...run, attention: 'sdpa' } })
      : []),
    // The weights stay fp32 under autocast, so this changes nothing but what it computes in.
    ...(run.attention === 'sdpa' && run.dataType === 'bf16' && run.autocast && isBeforeAmpere(training.device)
      ? remedy('fp16', 'fp16 instead of bf16, which this GPU has no fused attention for', {
          run: { ...run, dataType: 'fp16' },
        })
      : []),
    ...(run.fused?.loss === undefined
      ? remedy('fused-loss', 'A fused or chunked loss', { run: { ...run, fused: { ...run.fused, loss: 'fused' } } })
      : []),
    ...(setup.optimizer.name === 'adamw'
      ? remedy('optimizer-8bit', '8-bit AdamW', {
          setup: {
            ...setup,
            optimizer: { name: 'bitsandbytes', algorithm: 'adamw', bits: 8, paged: false, embeddings32Bit: true },
          },
        })
      : []),
    ...(half >= 1
      ? remedy('half-batch', `Micro-batch ${half} with twice the accumulation`, {
          run: { ...run, batch: half },
          setup: { ...setup, microBatchesPerStep: setup.microBatchesPerStep * 2 },
        })
      : []),
    ...(now.mode === 'policy'
      ? []
      : remedy('policy', 'Checkpoint layers, save matrix products and attention', {
          now: { mode: 'policy', segment: 1 },
        })),
    ...(now.mode === 'full' && now.segment === 1 && now.layers === undefined && (now.every ?? 1) === 1
      ? []
      : remedy('full', 'Checkpoint every layer', { now: { mode: 'full', segment: 1 } })),
    ...(now.offloaded === true
      ? []
      : remedy('offload', 'Checkpoint every layer, inputs offloaded', {
          now: { mode: 'full', segment: 1, offloaded: true },
        })),
  ].toSorted((a, b) => a.extraStep - b.extraStep || b.savedBytes - a.savedBytes);
}
