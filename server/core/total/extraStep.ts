import type { Plan } from '../budget/plan.ts';
import { simulate } from '../budget/simulate.ts';
import { forwardFlops, type Step } from '../budget/step.ts';

/** Share of a step that a plan does again. */
export const extraStepOf = (stage: Step, plan: Plan): number =>
  shareOfStep(stage, simulate(stage, plan).recomputedFlops);

/** FLOPs as a share of a step, which is one forward and a backward of about two forwards. */
export function shareOfStep(stage: Step, flops: number): number {
  const work = forwardFlops(stage);
  return work > 0 ? flops / (3 * work) : 0;
}
