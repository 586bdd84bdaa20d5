import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { familyNamed } from '../../../server/core/families/generated/registry.ts';
import { ModelBuilder } from '../../../server/core/families/modelBuilder.ts';
import { graphWeights } from '../../../server/core/states/graphWeights.ts';
import { modelStates } from '../../../server/core/states/modelStates.ts';
import { withQuantisedBase } from '../../../server/core/states/quantised.ts';
import { oneDevice, type StatesSetup, type ZeroSharding, zeroDefaults } from '../../../server/core/states/setup.ts';
import type { ModelWeights, WeightTensor } from '../../../server/core/states/weights.ts';

export const MiB = 1024 ** 2;
export const GiB = 1024 ** 3;
export const unitBytes: Readonly<Record<string, number>> = { GiB, MiB, GB: 1e9, MB: 1e6 };

/** Weights of which only the number is known. */
export const counted = (...counts: readonly number[]): ModelWeights => ({
  units: [
    {
      name: 'all',
      place: 'layers',
      repeats: 1,
      tensors: counts.map(
        (count, at): WeightTensor => ({
          name: `part${at}`,
          shape: [count],
          role: 'other',
          trainable: true,
          lumped: true,
        }),
      ),
    },
  ],
});

export const states = (weights: ModelWeights, setup: Partial<StatesSetup> = {}) => {
  const result = modelStates(weights, { ...oneDevice, ...setup });
  if (result.states === undefined) throw new Error(JSON.stringify(result.problems));
  return result.states;
};

export const problems = (weights: ModelWeights, setup: Partial<StatesSetup>) =>
  modelStates(weights, { ...oneDevice, ...setup }).problems;

/** Bytes of one line; 0 where there is no such line. */
export const line = (weights: ModelWeights, setup: Partial<StatesSetup>, key: string): number =>
  states(weights, setup).parts.find((part) => part.key === key)?.bytes ?? 0;

/** ZeRO without DeepSpeed's buffers, as papers count it. */
export const zero = (stage: ZeroSharding['stage'], ranks: number): ZeroSharding => ({
  ...zeroDefaults,
  kind: 'zero',
  stage,
  ranks,
  reduceBucketElements: 0,
  prefetchElements: 0,
  persistentBelowElements: 0,
});

export const llama = (sizes: Partial<ModelShape>): ModelShape => ({
  family: 'llama',
  layers: 32,
  hidden: 4096,
  heads: 32,
  keyValueHeads: 8,
  headDimension: 128,
  feedForward: 14336,
  vocabulary: 128256,
  maximumSequence: 8192,
  activation: 'silu',
  tiedEmbeddings: false,
  bias: false,
  ...sizes,
});

/** The weights of a shape, from its family's graph. */
export function weightsOf(model: ModelShape, changes: Partial<RunShape> = {}): ModelWeights {
  const run: RunShape = {
    batch: 1,
    sequence: 128,
    dataType: 'bf16',
    autocast: false,
    attention: 'sdpa',
    dropout: 0,
    ...changes,
  };
  const builder = new ModelBuilder(run);
  familyNamed(model.family)!.forward(builder, model, run);
  return graphWeights(builder.build()!);
}

/** As bitsandbytes and PEFT lay QLoRA out: nf4 linears, everything else in fp32 after the usual preparation. */
export const quantised = (model: ModelShape, adapters: RunShape['adapters'], others: 'fp32' | 'bf16' = 'fp32') =>
  withQuantisedBase(weightsOf(model, adapters === undefined ? {} : { adapters }), 'nf4', others);
