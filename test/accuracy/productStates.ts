import { precisions, type StatesSetup } from '../../server/core/states/setup.ts';
import type { ModelWeights } from '../../server/core/states/weights.ts';
import { counted, line, llama, states, weightsOf, zero } from '../unit/states/examples.ts';
import type { LlamaSizes } from './publishedFormulas/playbook.ts';

/** Published numbers of model states, by the product's own account of them. In bytes, under the names of the formulas. */
export const stateAnswers = {
  // In the step nothing is gathered, which is what the paper counts.
  zero: ({ psi, stage, N }: { psi: number; stage: 0 | 1 | 2 | 3; N: number }): number =>
    states(counted(psi), { precision: precisions.zeroPaper, sharding: zero(stage, N) }).deviceBytes.step,

  per_param: ({ n, k }: { n: number; k: number }): number | undefined => perParameter(counted(n), k),

  playbook_state({ L, h, v, s, k }: Record<'L' | 'h' | 'v' | 's' | 'k', number>): number | undefined {
    return perParameter(counted(L * (12 * h * h + 13 * h), h * (v + s), 2 * h), k);
  },

  llama_state({ k, shard = 1, ...sizes }: LlamaSizes & { k: number; shard?: number }): number {
    const weights = matricesOf(sizes);
    if (k === 2) return line(weights, { ...bf16, tensorParallel: shard }, 'parameters-bf16');
    // The chart counts 16-bit moments beside the fp32 copy.
    const setup: Partial<StatesSetup> = {
      precision: precisions.zeroPaper,
      optimizer: { name: 'adamw', stateType: 'bf16' },
      sharding: zero(1, shard),
    };
    const keys = ['master-weights', 'first-moment', 'second-moment'];
    return keys.reduce((sum, key) => sum + line(weights, setup, key), 0);
  },

  llama_state_pp: ({ k: _, p, ...sizes }: LlamaSizes & { k: number; p: number }): number =>
    line(matricesOf(sizes), { ...bf16, pipeline: { stages: p, stage: 0, chunks: 1 } }, 'parameters-bf16'),

  // The table of DeepSpeed's documentation is older than its code: gradients are whole there, as in stage 1.
  ds_z2: ({ P, G, old = false }: { P: number; G: number; old?: boolean }): number =>
    states(counted(P), { precision: precisions.deepspeed, sharding: zero(old ? 1 : 2, G) }).deviceBytes.step,

  nf4_packed: ({ n }: { n: number }): number => line(quantised(n), bf16, 'quantised-weights-nf4'),
  nf4_scales: ({ n }: { n: number }): number => line(quantised(n), bf16, 'quantisation-scales'),
  kbit_unquantized: ({ n }: { n: number }): number => line(counted(n), {}, 'parameters-fp32'),
};

const bf16 = { precision: precisions.pureBf16 };

/** 2 or 4 bytes a parameter are weights, 8 moments, 16 fp32 or 16-bit with copies, 20 with fp32 gradients too. */
function perParameter(weights: ModelWeights, k: number): number | undefined {
  if (k === 16) return states(weights, {}).deviceBytes.step;
  if (k === 20) return states(weights, { precision: precisions.deepspeed }).deviceBytes.step;
  if (k === 8) return line(weights, {}, 'first-moment') + line(weights, {}, 'second-moment');
  if (k === 2) return line(weights, bf16, 'parameters-bf16');
  return k === 4 ? line(weights, {}, 'parameters-fp32') : undefined;
}

/** The Playbook's charts count matrices only. */
function matricesOf({ L, h, a, kv, I, v, tied = false, hd = h / a }: LlamaSizes): ModelWeights {
  const sizes = { layers: L, hidden: h, heads: a, keyValueHeads: kv, feedForward: I, vocabulary: v };
  const units = weightsOf(llama({ ...sizes, headDimension: hd, tiedEmbeddings: tied })).units;
  return {
    units: units.map((unit) => ({ ...unit, tensors: unit.tensors.filter(({ shape }) => shape.length > 1) })),
  };
}

const quantised = (n: number): ModelWeights => ({
  units: [
    {
      name: 'all',
      place: 'layers',
      repeats: 1,
      tensors: [{ name: 'linears', shape: [n], role: 'linear', trainable: false, storage: 'nf4' }],
    },
  ],
});
