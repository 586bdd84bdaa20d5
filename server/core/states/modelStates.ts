import { communicationParts } from './communicationParts.ts';
import { gradientParts } from './gradientParts.ts';
import { localWeights } from './localWeights.ts';
import { optimizerParts } from './optimizerParts.ts';
import { parameterParts } from './parameterParts.ts';
import type { Phase, StatePart } from './parts.ts';
import { inputProblems, type Problem } from './problems.ts';
import type { StatesSetup } from './setup.ts';
import { shardProblems } from './shards.ts';
import { isTrainable, type ModelWeights, weightElements } from './weights.ts';

/** Everything that is not activations on one rank, line by line, in bytes. */
export interface ModelStates {
  readonly parts: readonly StatePart[];
  /** On the device in each phase of a step; states exist from the first step on. Paged states are counted here. */
  readonly deviceBytes: Readonly<Record<Phase, number>>;
  /** Of them in unified memory, which gives way to the host when the device is full. */
  readonly pagedBytes: number;
  readonly hostBytes: number;
  readonly nvmeBytes: number;
  readonly parameters: {
    /** Of the whole model, frozen ones included. */
    readonly total: number;
    readonly trainable: number;
    /** That this rank computes with: its pipeline stage, its piece of each matrix, its experts. */
    readonly onThisRank: number;
  };
  readonly notes: readonly string[];
}

export type StatesResult =
  | { readonly states: ModelStates; readonly problems: readonly [] }
  | { readonly states: undefined; readonly problems: readonly Problem[] };

/**
 * Parameters, gradients, master weights, optimizer states and communication buffers of one rank (the one that holds most).
 * Never throws and never gives NaN or Infinity: impossible input comes back as problems. Formulas and sources are in each
 * part. `onThisRank` differs per pipeline stage: call once for each stage that matters, usually the first and the last.
 */
export function modelStates(weights: ModelWeights, setup: StatesSetup): StatesResult {
  const problems = inputProblems(weights, setup);
  if (problems.length > 0) return { states: undefined, problems };
  const divided = shardProblems(setup);
  const local = localWeights(weights, setup);
  if (divided.length + local.problems.length > 0)
    return { states: undefined, problems: [...divided, ...local.problems] };
  const parts = [
    ...parameterParts(local.units, setup),
    ...gradientParts(local.units, setup),
    ...optimizerParts(local.units, setup),
    ...communicationParts(local.units, setup),
  ];
  const total = weightElements(weights.units);
  const isCountable = parts.every(({ bytes }) => Number.isSafeInteger(bytes)) && Number.isSafeInteger(16 * total);
  if (!isCountable) {
    const problem = { field: 'weights', given: String(total), accepted: 'a model whose bytes can be counted exactly' };
    return { states: undefined, problems: [problem] };
  }
  const onDevice = (phase: Phase): number =>
    sumOf(parts, (part) => (part.place === 'device' || part.place === 'paged') && part.live.includes(phase));
  const states: ModelStates = {
    parts,
    deviceBytes: { forward: onDevice('forward'), backward: onDevice('backward'), step: onDevice('step') },
    pagedBytes: sumOf(parts, ({ place }) => place === 'paged'),
    hostBytes: sumOf(parts, ({ place }) => place === 'host'),
    nvmeBytes: sumOf(parts, ({ place }) => place === 'nvme'),
    parameters: {
      total,
      trainable: weightElements(weights.units, isTrainable),
      onThisRank: weightElements(local.units),
    },
    notes: notes(setup, weightElements(local.units)),
  };
  return { states, problems: [] };
}

const sumOf = (parts: readonly StatePart[], counts: (part: StatePart) => boolean): number =>
  parts.reduce((sum, part) => sum + (counts(part) ? part.bytes : 0), 0);

/** Stage 3 lets go of gathered weights only when they are needed again later than this (`stage3_max_live_parameters`). */
const zero3LiveElements = 1_000_000_000;

function notes({ sharding, optimizer, pipeline, expertParallel }: StatesSetup, local: number): readonly string[] {
  const said: string[] = [];
  if (sharding.kind === 'zero' && sharding.stage === 3) {
    const most = Math.min(local, zero3LiveElements);
    said.push(
      `ZeRO 3 may keep up to ${most.toLocaleString('en')} weights gathered (stage3_max_live_parameters); the largest tensor and the prefetch bucket are counted`,
    );
  }
  const isFlat =
    (sharding.kind === 'zero' && sharding.stage > 0) || (sharding.kind === 'fsdp' && sharding.version === 1);
  if (optimizer.name === 'adafactor' && isFlat)
    said.push('Flat shards have no rows and columns, so Adafactor keeps a whole second moment');
  if (pipeline.stages > 1) said.push('Stages differ: the first also holds the embeddings, the last the head');
  if (expertParallel > 1) said.push('Tokens are taken to be spread evenly over experts');
  return said;
}
