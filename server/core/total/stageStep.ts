import type { Step } from '../budget/step.ts';
import type { Pipeline } from '../states/setup.ts';

/** The units of one pipeline stage: its share of the layers, on the first stage what is before them, on the last the head. */
export function stageStep(step: Step, { stages, stage }: Pipeline): Step {
  if (stages === 1) return step;
  const perStage = Math.ceil(step.layers / stages);
  const [from, to] = [stage * perStage, Math.min(step.layers, (stage + 1) * perStage)];
  let layer = 0;
  const units = step.units.filter((unit, at) => {
    if (!unit.isLayer) return at >= step.firstHeadUnit ? stage === stages - 1 : stage === 0;
    const mine = layer >= from && layer < to;
    layer++;
    return mine;
  });
  return {
    ...step,
    units,
    layers: to - from,
    firstHeadUnit: units.findLastIndex(({ isLayer }) => isLayer) + 1,
    resultBytes: stage === stages - 1 ? step.resultBytes : 0,
    // The embedding and its tied head are on different ranks.
    waitingBytes: 0,
  };
}
