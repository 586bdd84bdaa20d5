import { dividesProblem, type Problem } from './problems.ts';
import type { StatesSetup } from './setup.ts';
import type { ModelWeights, WeightTensor, WeightUnit } from './weights.ts';

/** The weights one rank works with, before data-parallel sharding. */
export interface LocalWeights {
  readonly units: readonly WeightUnit[];
  readonly problems: readonly Problem[];
}

/**
 * What pipeline, tensor and expert parallelism leave on the rank of `setup.pipeline.stage` that holds most. Pipeline stages
 * take equal numbers of layers; the first also holds what is before the layers, the last what is after them and, where the
 * head is tied, its own copy of the embedding (Megatron-LM, torch's pipelining).
 */
export function localWeights(weights: ModelWeights, setup: StatesSetup): LocalWeights {
  const stage = stageUnits(weights, setup);
  const problems: Problem[] = [...stage.problems];
  const units = stage.units.map((unit) => ({
    ...unit,
    tensors: unit.tensors.map((tensor) => {
      const expert = dividedAmongExperts(unit, tensor, setup.expertParallel);
      const split = cutByTensorParallelism(unit, expert.tensor, setup.tensorParallel);
      problems.push(...expert.problems, ...split.problems);
      return split.tensor;
    }),
  }));
  return { units, problems };
}

function stageUnits({ units }: ModelWeights, { pipeline }: StatesSetup): LocalWeights {
  const { stages, stage, chunks } = pipeline;
  if (stages === 1) return { units, problems: [] };
  const layers = units.reduce((sum, unit) => sum + (unit.place === 'layers' ? unit.repeats : 0), 0);
  const problems = dividesProblem('pipeline.stages × pipeline.chunks', layers, stages * chunks, 'the number of layers');
  if (problems.length > 0) return { units: [], problems };
  const perChunk = layers / (stages * chunks);
  const held: WeightUnit[] = [];
  let first = 0;
  for (const unit of units) {
    if (unit.place === 'layers') {
      const repeats = Array.from({ length: chunks }, (_, chunk) => (chunk * stages + stage) * perChunk).reduce(
        (sum, start) => sum + overlap(first, first + unit.repeats, start, start + perChunk),
        0,
      );
      if (repeats > 0) held.push({ ...unit, repeats });
      first += unit.repeats;
    } else if (stage === (unit.place === 'before' ? 0 : stages - 1)) held.push(unit);
    else {
      const tied = stage === stages - 1 ? unit.tensors.filter((tensor) => tensor.tiedToHead) : [];
      if (tied.length > 0) held.push({ ...unit, name: 'tied head', place: 'after', tensors: tied });
    }
  }
  return { units: held, problems: [] };
}

const overlap = (from: number, to: number, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start));

interface LocalTensor {
  readonly tensor: WeightTensor;
  readonly problems: readonly Problem[];
}

/** Experts are whole on their rank: either many equal tensors, or one whose first dimension counts them. */
function dividedAmongExperts(unit: WeightUnit, tensor: WeightTensor, ranks: number): LocalTensor {
  if (!tensor.expert || ranks === 1) return { tensor, problems: [] };
  const copies = tensor.copies ?? 1;
  const what = `the experts of ${unit.name}.${tensor.name}`;
  if (copies > 1) {
    const problems = dividesProblem('expertParallel', copies, ranks, what);
    return { tensor: { ...tensor, copies: copies / ranks }, problems };
  }
  const [experts = 1, ...rest] = tensor.shape;
  const problems = dividesProblem('expertParallel', experts, ranks, what);
  return { tensor: { ...tensor, shape: [experts / ranks, ...rest] }, problems };
}

/** A vocabulary need not divide: Megatron pads it and torch's DTensor leaves a smaller last piece. */
function cutByTensorParallelism(unit: WeightUnit, tensor: WeightTensor, ranks: number): LocalTensor {
  const dimension = tensor.tensorParallelDimension;
  if (dimension === undefined || ranks === 1) return { tensor, problems: [] };
  const size = tensor.shape[dimension] ?? 1;
  const mayBeUneven = tensor.role === 'embedding' || tensor.role === 'head';
  const problems = mayBeUneven
    ? []
    : dividesProblem('tensorParallel', size, ranks, `dimension ${dimension} of ${unit.name}.${tensor.name}`);
  const shape = tensor.shape.with(dimension, Math.ceil(size / ranks));
  return { tensor: { ...tensor, shape }, problems };
}
