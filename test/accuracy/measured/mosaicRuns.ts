import { noCheckpoints, segmentsOf } from '../../../server/core/budget/plan.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import type { Answer } from '../comparison.ts';
import { plainRun, stepOf } from '../engine.ts';
import { turingAllowance } from './device.ts';
import { wholeStep } from './wholeStep.ts';

/**
 * PyTorch's tutorial "Mosaic: Memory Profiling for PyTorch": GPT-2 in fp32, b = 4, s = 512, dropout 0.1, AdamW, the loop holding
 * `outputs`. Its snapshot sorts what is live at the peak into activations (made in the forward pass) and backward. Without
 * checkpointing `use_cache` stays on, so that keys and values are copied out of the projection's result (checkpointing turns
 * it off). That run is also the first of the process, and cuBLAS's workspaces fall into it.
 */
export function mosaicAnswer(id: string): Answer | undefined {
  const [, checkpointing, what] = /^mosaic-gpt2-(ac|none)-(activations|backward)$/.exec(id) ?? [];
  if (what === undefined) return undefined;
  const shape = knownModel('gpt2')?.shape;
  if (shape === undefined) return { notCovered: 'no account of GPT-2' };
  const [batch, sequence] = [4, 512];
  const isCheckpointed = checkpointing === 'ac';
  const run = { ...plainRun, batch, sequence, dataType: 'fp32', attention: 'efficient', dropout: 0.1 } as const;
  const step = stepOf(shape, run);
  if (typeof step === 'string') return { notCovered: step };
  const whole = wholeStep(
    step,
    isCheckpointed ? (layers) => segmentsOf(layers, 1) : noCheckpoints,
    {},
    {
      holdsOutputs: true,
      ...(isCheckpointed ? {} : { cacheBytes: 2 * 4 * batch * sequence * shape.hidden * shape.layers }),
    },
  );
  if (typeof whole === 'string') return { notCovered: whole };
  // One of the two workspaces belongs to each direction.
  const workspace = isCheckpointed ? 0 : turingAllowance(0, 0, 'fused').workspaceBytes / 2;
  const activations = whole.afterForwardBytes;
  return { value: (what === 'activations' ? activations : whole.activationPeakBytes - activations) + workspace };
}
