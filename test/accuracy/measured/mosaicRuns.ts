import { segmentsOf } from '../../../server/core/budget/plan.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import type { Answer } from '../comparison.ts';
import { plainRun } from '../engine.ts';
import { turingAllowance } from './device.ts';
import { fullTraining } from './fullTraining.ts';

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
  const isCheckpointed = checkpointing === 'ac';
  const training = fullTraining(
    shape,
    { ...plainRun, batch: 4, sequence: 512, dataType: 'fp32', attention: 'efficient', dropout: 0.1 },
    {},
    {
      holdsOutputs: true,
      gradientBytesPerElement: 4,
      ...(isCheckpointed
        ? { plan: (layers: number) => segmentsOf(layers, 1) }
        : { cacheBytes: 2 * 4 * 4 * 512 * shape.hidden * shape.layers }),
    },
  );
  if (typeof training === 'string') return { notCovered: training };
  const { afterForwardBytes, peakBytes } = training.step;
  // One of the two workspaces belongs to each direction.
  const workspace = isCheckpointed ? 0 : turingAllowance(0, 0, 'fused').workspaceBytes / 2;
  return { value: (what === 'activations' ? afterForwardBytes : peakBytes - afterForwardBytes) + workspace };
}
