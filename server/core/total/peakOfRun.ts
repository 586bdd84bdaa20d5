import type { Device } from '../devices/device.ts';
import type { RunFacts } from '../facts/facts.ts';
import { assess } from './assess.ts';
import { trainingOf } from './setupOfRun.ts';
import { areSizesAssumed } from './sizesAssumed.ts';
import type { Verdict } from './verdict.ts';

/** What a training step holds at its peak, as the code stands, in bytes. */
export interface PeakOfRun {
  readonly expectedBytes: number;
  readonly lowBytes: number;
  readonly highBytes: number;
  /** Absent where no device is known. */
  readonly verdict?: Pick<Verdict, 'outcome' | 'spareBytes'>;
}

/** Undefined where there is no account of the model, and where sizes are only assumed. */
export function peakOfRun({ model, run }: RunFacts, device: Device | undefined): PeakOfRun | undefined {
  if (model === undefined || areSizesAssumed(model, run)) return undefined;
  const { assessment } = assess(trainingOf(model, run, device), noText);
  if (assessment === undefined) return undefined;
  const { now, verdict } = assessment;
  const { expected, low, high } = now.range;
  return {
    expectedBytes: expected,
    lowBytes: low,
    highBytes: high,
    ...(verdict && { verdict: { outcome: verdict.outcome, spareBytes: verdict.spareBytes } }),
  };
}

/** Nobody reads the sentences of the assessment here. */
const noText = (): string => '';
