import type { Plan } from '../budget/plan.ts';
import { simulate, type TracePoint, trace } from '../budget/simulate.ts';
import type { Step } from '../budget/step.ts';
import type { Quantisation } from '../facts/facts.ts';
import type { Unit } from '../families/modelBuilder.ts';
import { elementCount, type Storage } from '../graph/tensor.ts';
import {
  type AllowancePart,
  allowanceParts,
  type ByteRange,
  type DeviceGeneration,
  withAllowance,
} from '../states/allowance.ts';
import { graphWeights } from '../states/graphWeights.ts';
import { modelStates } from '../states/modelStates.ts';
import type { StatePart } from '../states/parts.ts';
import { microBatchesInFlight } from '../states/pipelineSchedule.ts';
import type { Problem } from '../states/problems.ts';
import { withQuantisedBase } from '../states/quantised.ts';
import type { StatesSetup } from '../states/setup.ts';
import { sequenceParallelStep } from './sequenceParallel.ts';
import { stageStep } from './stageStep.ts';

/** Everything one rank's device holds over one training step under one plan. All in bytes. */
export interface TotalMemory {
  /** The moment that decides whether it fits. */
  readonly peak: Moment;
  /** All moments of the step, in order, for a timeline. */
  readonly moments: readonly Moment[];
  /** Parameters, gradients, states and buffers, line by line; `live` says in which phases. */
  readonly states: readonly StatePart[];
  readonly allowance: readonly AllowancePart[];
  /** The peak with the allowance. */
  readonly range: ByteRange;
  readonly hostBytes: number;
  readonly notes: readonly string[];
}

export interface Moment {
  readonly phase: 'forward' | 'loss' | 'replay' | 'backward' | 'step';
  /** Index of the unit that runs; undefined while the optimizer steps. */
  readonly unit: number | undefined;
  readonly activationBytes: number;
  readonly gradientBytes: number;
  /** Parameters, optimizer states and communication buffers. */
  readonly stateBytes: number;
  readonly totalBytes: number;
}

export interface TotalInput {
  /** Of the model as this rank computes it: see `rankShape`. */
  readonly step: Step;
  readonly setup: StatesSetup;
  /** Tensor-parallel ranks cut the residual stream along the sequence. */
  readonly sequenceParallel?: boolean | undefined;
  /** What the frozen base of adapters is quantised to. */
  readonly quantisation?: Quantisation | undefined;
  readonly generation: DeviceGeneration | undefined;
  readonly attention: 'eager' | 'fused';
}

/** The memory of one rank for whatever plan is asked. */
export interface Totals {
  /** The units of this rank's pipeline stage; plans are over its layers. */
  readonly stage: Step;
  readonly of: (plan: Plan) => TotalMemory;
}

export type TotalsResult =
  | { readonly totals: Totals; readonly problems: readonly [] }
  | { readonly totals: undefined; readonly problems: readonly Problem[] };

/**
 * The states and the simulated step together. Gradients appear unit by unit as the backward pass reaches them, unless they
 * stay from the micro-batch before. Never throws: what cannot be comes back as problems.
 */
export function totalsOf({
  step,
  setup,
  sequenceParallel = false,
  quantisation,
  generation,
  attention,
}: TotalInput): TotalsResult {
  const units = step.units.map(
    ({ memory, isLayer }): Unit => ({ piece: memory.piece, kind: isLayer ? 'layer' : 'outside' }),
  );
  const dense = graphWeights({ units });
  const weights = quantisation === undefined ? dense : withQuantisedBase(dense, quantisation, setup.precision.weights);
  // The step's weights are cut along tensor-parallel ranks already.
  const { states, problems } = modelStates(weights, { ...setup, tensorParallel: 1 });
  const flight = inFlight(setup);
  if (states === undefined || flight.problems.length > 0)
    return { totals: undefined, problems: [...problems, ...flight.problems] };
  const cut = sequenceParallel ? sequenceParallelStep(step, setup.tensorParallel) : step;
  const stage = stageStep(cut, setup.pipeline);
  const arrived = shareOfWeightsFrom(stage);
  const of = (plan: Plan): TotalMemory => {
    const moments = momentsOf(stage, plan, states.parts, arrived, flight.microBatches);
    const peak = moments.reduce((most, each) => (each.totalBytes > most.totalBytes ? each : most));
    const allowance = allowanceParts({
      generation,
      lastingBytes: peak.stateBytes,
      passingBytes: peak.activationBytes + peak.gradientBytes,
      attention,
      communicators: communicators(setup),
    });
    return {
      peak,
      moments,
      states: states.parts,
      allowance: allowance.parts,
      range: withAllowance(peak.totalBytes, allowance.parts),
      hostBytes: states.hostBytes,
      notes: states.notes,
    };
  };
  return { totals: { stage, of }, problems: [] };
}

function momentsOf(
  step: Step,
  plan: Plan,
  states: readonly StatePart[],
  arrived: readonly number[],
  microBatches: number,
): readonly Moment[] {
  const parts = states.filter(({ place }) => place === 'device' || place === 'paged');
  const lasting = (phase: 'forward' | 'backward' | 'step'): number =>
    bytesOf(parts, (part) => part.group !== 'gradients' && part.live.includes(phase));
  const stateBytes = { forward: lasting('forward'), backward: lasting('backward'), step: lasting('step') };
  const gradients = bytesOf(parts, ({ group }) => group === 'gradients');
  const staysBetween = parts.some(({ group, live }) => group === 'gradients' && live.includes('forward'));
  const waiting = microBatches === 1 ? 0 : (microBatches - 1) * simulate(step, plan).afterForwardBytes;
  const moments = trace(step, plan).map((point): Moment => {
    const goesBack = point.phase !== 'forward';
    // The head's own gradients come at its very end, when the logits' gradients, which make its peak, are gone.
    const from = point.unit >= step.firstHeadUnit ? point.unit + 1 : point.unit;
    const share = staysBetween ? 1 : goesBack ? (arrived[from] ?? 0) : 0;
    // The trace counts the waiting gradient of a tied embedding; here it is among the gradients, unless those are of the
    // micro-batches before.
    const tied = goesBack && !staysBetween && point.unit < step.firstHeadUnit ? step.waitingBytes : 0;
    return moment(
      phaseOf(point, step),
      point.unit,
      point.peakBytes + waiting - tied,
      Math.round(share * gradients),
      goesBack ? stateBytes.backward : stateBytes.forward,
    );
  });
  const atStep = bytesOf(parts, ({ group, live }) => group === 'gradients' && live.includes('step'));
  return [...moments, moment('step', undefined, 0, atStep, stateBytes.step)];
}

const bytesOf = (parts: readonly StatePart[], counts: (part: StatePart) => boolean): number =>
  parts.reduce((sum, part) => sum + (counts(part) ? part.bytes : 0), 0);

const moment = (
  phase: Moment['phase'],
  unit: number | undefined,
  activationBytes: number,
  gradientBytes: number,
  stateBytes: number,
): Moment => ({
  phase,
  unit,
  activationBytes,
  gradientBytes,
  stateBytes,
  totalBytes: activationBytes + gradientBytes + stateBytes,
});

const phaseOf = ({ phase, unit }: TracePoint, step: Step): Moment['phase'] =>
  unit >= step.firstHeadUnit ? 'loss' : phase;

/** For each unit, the share of trained weights in it and in all units after it: their gradients are there when it is through. */
function shareOfWeightsFrom({ units }: Step): readonly number[] {
  const outside = new Set<Storage>();
  let behind = 0;
  const counts = units.toReversed().map(({ memory, isLayer }) => {
    for (const [storage, { shape, requiresGradient }] of memory.weights) {
      // A tied embedding has one gradient. Layers that are alike are one piece, yet each has weights of its own.
      const isKnown = !isLayer && outside.has(storage);
      if (requiresGradient && !isKnown) behind += elementCount(shape);
      if (!isLayer) outside.add(storage);
    }
    return behind;
  });
  return counts.toReversed().map((count) => (behind === 0 ? 0 : count / behind));
}

function inFlight({ pipeline, microBatchesPerStep }: StatesSetup): {
  readonly microBatches: number;
  readonly problems: readonly Problem[];
} {
  if (pipeline.stages === 1) return { microBatches: 1, problems: [] };
  const kind = pipeline.chunks > 1 ? 'interleaved' : '1f1b';
  const { microBatches, problems } = microBatchesInFlight({ ...pipeline, kind, microBatches: microBatchesPerStep });
  return { microBatches: microBatches ?? 1, problems };
}

function communicators({ sharding, tensorParallel, contextParallel, expertParallel, pipeline }: StatesSetup): number {
  const data = sharding.kind === 'none' ? 1 : sharding.ranks;
  return [data, tensorParallel, contextParallel, expertParallel, pipeline.stages].filter((ranks) => ranks > 1).length;
}
