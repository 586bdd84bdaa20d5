import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints, type Plan } from '../../../server/core/budget/plan.ts';
import { modelStates } from '../../../server/core/states/modelStates.ts';
import { modelWeights } from '../../../server/core/states/modelWeights.ts';
import { oneDevice, type StatesSetup } from '../../../server/core/states/setup.ts';
import { stepOf } from '../engine.ts';
import { onCuda } from './cudaKernels.ts';
import { type Loop, type WholeStep, wholeStep } from './wholeStep.ts';

/** A run in which all weights learn: states, activations and gradients together, in bytes. */
export interface FullTraining {
  /** Weights and optimizer states, there all the time. */
  readonly lastingBytes: number;
  /** Most there ever is on top of them: activations with gradients so far, or gradients with the step's temporaries. */
  readonly passingBytes: number;
  readonly step: WholeStep;
}

export function fullTraining(
  shape: ModelShape,
  run: RunShape,
  setup: Partial<StatesSetup>,
  { plan, ...loop }: Loop & { readonly plan?: (layers: number) => Plan },
): FullTraining | string {
  const step = stepOf(shape, run);
  if (typeof step === 'string') return step;
  const weights = modelWeights(shape, run);
  if (weights === undefined) return `no weights of ${shape.family}`;
  const { states, problems } = modelStates(weights, { ...oneDevice, ...setup });
  if (states === undefined) return problems.map(({ field }) => field).join(', ');
  const whole = wholeStep(onCuda(step), (plan ?? noCheckpoints)(step.layers), loop);
  const lastingBytes = states.deviceBytes.forward;
  return {
    lastingBytes,
    passingBytes: Math.max(whole.peakBytes, states.deviceBytes.step - lastingBytes + whole.heldBytes),
    step: whole,
  };
}
