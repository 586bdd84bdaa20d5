import type { Plan } from '../budget/plan.ts';
import { simulate } from '../budget/simulate.ts';
import type { Step } from '../budget/step.ts';
import { forwardFlops } from './assess.ts';

/** Share of a step that a plan does again; a step is one forward and a backward of two forwards. */
export function extraStepOf(stage: Step, plan: Plan): number {
  const work = forwardFlops(stage);
  return work > 0 ? simulate(stage, plan).recomputedFlops / (3 * work) : 0;
}
