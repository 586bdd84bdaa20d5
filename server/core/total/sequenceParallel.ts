import type { PieceMemory } from '../budget/pieceMemory.ts';
import type { Step } from '../budget/step.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import { tensorParallelCuts } from '../states/tensorParallelCuts.ts';

/**
 * A step on one of `ranks` ranks that cut the residual stream along the sequence (Korthikanti et al. 2022, section 4.2.2):
 * layer inputs, norms, dropout masks and the inputs of column-cut linears, which are gathered again in the backward pass.
 * What is only there for a moment is left whole, so peaks are an upper bound.
 */
export function sequenceParallelStep(step: Step, ranks: number): Step {
  if (ranks === 1) return step;
  const cut = new Map<PieceMemory, PieceMemory>();
  const cutOf = (memory: PieceMemory): PieceMemory => {
    const known = cut.get(memory) ?? cutPiece(memory, ranks);
    cut.set(memory, known);
    return known;
  };
  return {
    ...step,
    units: step.units.map((unit) => (unit.isLayer ? { ...unit, memory: cutOf(unit.memory) } : unit)),
  };
}

function cutPiece(memory: PieceMemory, ranks: number): PieceMemory {
  const stream = residualStream(memory);
  const whole = memory.kept.reduce((sum, { storage }) => sum + (stream.has(storage) ? storage.bytes : 0), 0);
  const less = Math.floor(whole * (1 - 1 / ranks));
  return {
    ...memory,
    keptBytes: memory.keptBytes - less,
    inputBytes: Math.ceil(memory.inputBytes / ranks),
    outputBytes: Math.ceil(memory.outputBytes / ranks),
    gradientBytes: Math.ceil(memory.gradientBytes / ranks),
    replayGradientBytes: Math.ceil(memory.replayGradientBytes / ranks),
    forwardPeakBytes: memory.forwardPeakBytes - less,
    replayPeakBytes: memory.replayPeakBytes - less,
    backwardPeakBytes: memory.backwardPeakBytes - less,
    backwardPeakHoldingGradientBytes: memory.backwardPeakHoldingGradientBytes - less,
  };
}

/** Storages of the residual stream: the layer's input, results of row-cut linears, and whatever is made of these alone. */
function residualStream({ piece }: PieceMemory): ReadonlySet<Storage> {
  const { operations } = piece.graph;
  const cuts = tensorParallelCuts(operations);
  const stream = new Set<Storage>([piece.input.storage]);
  const isStream = ({ storage }: Tensor): boolean => stream.has(storage);
  const isActivation = ({ storage }: Tensor): boolean => storage.role === 'activation' || storage.role === 'boundary';
  for (const { name, inputs, outputs } of operations) {
    const weight = inputs[1]?.storage;
    const belongs =
      name === 'linear'
        ? weight !== undefined && cuts.get(weight) === 1
        : inputs.some(isStream) && inputs.filter(isActivation).every(isStream);
    if (belongs) for (const { storage } of outputs) stream.add(storage);
  }
  return stream;
}
