import { knownModel } from '../../../server/core/families/knownModels.ts';
import type { Answer } from '../comparison.ts';
import { plainRun, stepOf } from '../engine.ts';
import { headForwardPeak } from './wholeStep.ts';

/**
 * Wijmans et al. 2024 (arXiv 2411.09009, Table 1): Gemma 2 2B's head and loss on 8192 tokens in bf16, alone on an A100, in
 * plain torch: what computing the loss takes, and the loss with its gradients. The head's input and its weight are not in it.
 */
export function headAnswer(id: string): Answer | undefined {
  const what = /^cce-baseline-(loss|loss\+grad)$/.exec(id)?.[1];
  if (what === undefined) return undefined;
  const shape = knownModel('google/gemma-2-2b')?.shape;
  const step = stepOf(shape ?? 'no account of Gemma 2', { ...plainRun, sequence: 8192 });
  if (typeof step === 'string') return { notCovered: step };
  const head = step.units.at(-1)?.memory;
  if (head === undefined) return { notCovered: 'no head' };
  return { value: what === 'loss' ? headForwardPeak(step) : head.backwardPeakBytes };
}
