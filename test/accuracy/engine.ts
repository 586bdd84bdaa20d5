import type { ModelShape, PytorchAccount, RunShape } from '../../server/core/budget/account.ts';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import { pieceMemory } from '../../server/core/budget/pieceMemory.ts';
import type { Plan } from '../../server/core/budget/plan.ts';
import { trainingStep } from '../../server/core/budget/pytorch.ts';
import { peakOf, simulate, type TracePoint, trace } from '../../server/core/budget/simulate.ts';
import type { Step, StepUnit } from '../../server/core/budget/step.ts';
import { readHfConfig } from '../../server/core/families/hfConfig.ts';
import { GraphBuilder } from '../../server/core/graph/graph.ts';
import { sum } from '../../server/core/graph/reductions.ts';

/**
 * The way from a row to the product's own numbers. Rows name a model as its library does, so they go through the same reading
 * of configurations as a user's `config.json`. A sentence instead of a result says why there is none.
 */
export function shapeOf(config: Readonly<Record<string, unknown>>): ModelShape | string {
  const { shape, problems } = readHfConfig(config);
  return problems[0] ?? shape ?? 'no account';
}

export function accountOf(shape: ModelShape | string, run: RunShape, segment = 1): PytorchAccount | string {
  if (typeof shape === 'string') return shape;
  const { pytorch, notes } = estimateBudget(shape, run, segment);
  return pytorch ?? notes[0] ?? 'no account';
}

export function stepOf(shape: ModelShape | string, run: RunShape): Step | string {
  if (typeof shape === 'string') return shape;
  return trainingStep(shape, run) ?? `no account of ${shape.family}`;
}

/** A training step under a plan. */
export interface Simulated {
  readonly afterForwardBytes: number;
  readonly peakBytes: number;
  /** What an inner layer adds to what is live when the forward pass has ended. */
  readonly keptPerLayerBytes: number;
}

export function simulated(step: Step, plan: Plan): Simulated {
  const peaks = simulate(step, plan);
  return {
    afterForwardBytes: peaks.afterForwardBytes,
    peakBytes: peakOf(peaks),
    keptPerLayerBytes: keptPerLayer(step, trace(step, plan)),
  };
}

/**
 * The layers alone, summed up: whoever calls them holds the first input, and the gradient the last layer starts from is one
 * number that is read as a whole tensor.
 */
export function simulatedBare(model: Step, plan: Plan): Simulated {
  const layers = model.units.filter(({ isLayer }) => isLayer);
  const step: Step = {
    ...model,
    units: layers.map((unit, at) => ({ ...(at === layers.length - 1 ? summedUp(unit) : unit), shared: nothingShared })),
    firstHeadUnit: layers.length,
    resultBytes: 0,
    waitingBytes: 0,
  };
  const points = trace(step, plan);
  const boundaryBytes = layers[0]?.memory.inputBytes ?? 0;
  const lossBytes = 2;
  const last = plan.at(-1);
  const treatment = last?.treatment.kind === 'checkpoint' ? last.treatment : undefined;
  const lastLayers = treatment ? (last?.layers ?? 1) : 1;
  const peaks = points.map(({ phase, unit, peakBytes }) => {
    // It waits while the last region is replayed; the reentrant variant holds it in the backward pass as well.
    const waits = phase === 'replay' || (phase === 'backward' && treatment?.reentrant === true);
    const isLast = unit >= layers.length - lastLayers;
    return peakBytes - boundaryBytes - (waits && isLast ? boundaryBytes : 0);
  });
  return {
    afterForwardBytes: simulate(step, plan).afterForwardBytes - boundaryBytes + lossBytes,
    peakBytes: Math.max(...peaks) + lossBytes,
    keptPerLayerBytes: keptPerLayer(step, points),
  };
}

const nothingShared = { kept: 0, arguments: 0, gradients: 0 } as const;

/** The last layer's backward pass from a plain sum of its result. */
function summedUp(unit: StepUnit): StepUnit {
  const { piece } = unit.memory;
  const graph = new GraphBuilder(piece.graph.precision, piece.graph.training, piece.graph.kernels);
  graph.operations.push(...piece.graph.operations);
  const { backwardPeakBytes } = pieceMemory({ ...piece, graph, output: sum(graph, piece.output, [0, 1, 2]) });
  return { ...unit, memory: { ...unit.memory, backwardPeakBytes } };
}

function keptPerLayer(step: Step, points: readonly TracePoint[]): number {
  const first = step.units.findIndex(({ isLayer }) => isLayer);
  const after = (unit: number): number =>
    points.find((point) => point.phase === 'forward' && point.unit === unit)?.liveBytes ?? 0;
  return after(first + 2) - after(first + 1);
}

/** A run in bf16 with fused attention; rows name what is different. */
export const plainRun: RunShape = {
  batch: 1,
  sequence: 2048,
  dataType: 'bf16',
  autocast: false,
  attention: 'sdpa',
  dropout: 0,
};

/** The same where no CUDA kernel ran: on the meta device, or on a CPU. */
export const metaRun: RunShape = { ...plainRun, kernels: 'meta' };

/** The GPT block of the literature in a model of bare layers: no vocabulary to speak of, gelu as one operation. */
export const textbook = (hidden: number, heads: number, layers: number): ModelShape | string =>
  shapeOf({
    model_type: 'gpt2',
    n_embd: hidden,
    n_head: heads,
    n_layer: layers,
    n_positions: 65536,
    vocab_size: 1,
    activation_function: 'gelu',
  });
