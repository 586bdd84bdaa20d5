import { offloaded, segmentsOf } from '../../../server/core/budget/plan.ts';
import { simulate } from '../../../server/core/budget/simulate.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import type { Answer } from '../comparison.ts';
import { plainRun, stepOf } from '../engine.ts';

/** torchtune's table of optimisations: what offloading the layers' inputs frees, Llama 3.2 3B, b = 2, s = 4096, every layer checkpointed. */
export function torchtuneAnswer(id: string): Answer | undefined {
  if (id !== 'torchtune-3B-offload-delta') return undefined;
  const shape = knownModel('meta-llama/Llama-3.2-3B')?.shape;
  const step = stepOf(shape ?? 'no account of Llama 3.2', { ...plainRun, batch: 2, sequence: 4096 });
  if (typeof step === 'string') return { notCovered: step };
  const [kept, moved] = [segmentsOf(step.layers, 1), segmentsOf(step.layers, 1, offloaded)];
  return { value: simulate(step, kept).afterForwardBytes - simulate(step, moved).afterForwardBytes };
}
