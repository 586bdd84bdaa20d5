import { needsShapes } from './optimizers.ts';
import type { StatesSetup } from './setup.ts';
import type { ModelWeights } from './weights.ts';

/** Input that cannot be: which field, what it was, and what is accepted there. */
export interface Problem {
  readonly field: string;
  readonly given: string;
  readonly accepted: string;
}

/** More of anything than this no run has; larger numbers are slips or attacks on the arithmetic. */
const mostRanks = 1_000_000;
const mostElements = 1_000_000_000_000_000;

/** All that is wrong with the numbers themselves; whether they divide each other is checked where they are divided. */
export function inputProblems(weights: ModelWeights, setup: StatesSetup): readonly Problem[] {
  return [...weightProblems(weights), ...setupProblems(setup), ...shapeProblems(weights, setup)];
}

export const problemText = ({ field, given, accepted }: Problem): string =>
  `${field} is ${given}; accepted is ${accepted}`;

/** A problem unless `value` is a whole number between the two. */
export function countProblem(field: string, value: number, least = 1, most = mostRanks): readonly Problem[] {
  if (Number.isInteger(value) && value >= least && value <= most) return [];
  return [{ field, given: String(value), accepted: `a whole number from ${least} to ${most}` }];
}

export function dividesProblem(field: string, whole: number, by: number, what: string): readonly Problem[] {
  if (whole % by === 0) return [];
  return [{ field, given: String(by), accepted: `a divisor of ${whole}, ${what}` }];
}

function weightProblems({ units }: ModelWeights): readonly Problem[] {
  if (units.length === 0) return [{ field: 'weights.units', given: 'empty', accepted: 'at least one unit' }];
  return units.flatMap((unit) => [
    ...countProblem(`weights.${unit.name}.repeats`, unit.repeats),
    ...unit.tensors.flatMap((tensor) => {
      const field = `weights.${unit.name}.${tensor.name}`;
      const cut = tensor.tensorParallelDimension;
      return [
        ...tensor.shape.flatMap((size) => countProblem(`${field}.shape`, size, 1, mostElements)),
        ...countProblem(`${field}.copies`, tensor.copies ?? 1),
        ...(cut === undefined
          ? []
          : countProblem(`${field}.tensorParallelDimension`, cut, 0, Math.max(0, tensor.shape.length - 1))),
      ];
    }),
  ]);
}

function setupProblems(setup: StatesSetup): readonly Problem[] {
  const { sharding, pipeline } = setup;
  const problems = [
    ...countProblem('tensorParallel', setup.tensorParallel),
    ...countProblem('contextParallel', setup.contextParallel),
    ...countProblem('expertParallel', setup.expertParallel),
    ...countProblem('pipeline.stages', pipeline.stages),
    ...countProblem('pipeline.chunks', pipeline.chunks),
    ...countProblem('microBatchesPerStep', setup.microBatchesPerStep),
  ];
  if (Number.isInteger(pipeline.stages) && pipeline.stages > 0)
    problems.push(...countProblem('pipeline.stage', pipeline.stage, 0, pipeline.stages - 1));
  if (sharding.kind !== 'none') problems.push(...countProblem('sharding.ranks', sharding.ranks));
  if (sharding.kind === 'fsdp') problems.push(...countProblem('sharding.gatheredLayers', sharding.gatheredLayers));
  if (sharding.kind === 'zero')
    for (const name of ['reduceBucketElements', 'prefetchElements', 'persistentBelowElements'] as const)
      problems.push(...countProblem(`sharding.${name}`, sharding[name], 0, mostElements));
  return problems;
}

function shapeProblems({ units }: ModelWeights, { optimizer, sharding }: StatesSetup): readonly Problem[] {
  const field = 'optimizer';
  if (!needsShapes(optimizer)) return [];
  const isFlat =
    (sharding.kind === 'zero' && sharding.stage > 0) || (sharding.kind === 'fsdp' && sharding.version === 1);
  // A flat shard has no rows and columns; DeepSpeed has a Muon of its own, which this does not describe.
  if (optimizer.name === 'muon' && isFlat)
    return [{ field, given: 'muon', accepted: 'an optimizer that works on flat shards, such as adamw' }];
  // Proven in test/torch/proofs/optimizer-states.py: torch's Adafactor raises on the tensors of fully_shard.
  if (optimizer.name === 'adafactor' && sharding.kind === 'fsdp' && sharding.version === 2)
    return [{ field, given: 'adafactor', accepted: 'an optimizer that works on fully_shard, such as adamw' }];
  if (isFlat || !units.some(({ tensors }) => tensors.some(({ lumped }) => lumped))) return [];
  return [
    { field, given: optimizer.name, accepted: 'an optimizer whose states follow from counts; shapes are not known' },
  ];
}
