import { type PieceMemory, pieceMemory } from '../budget/pieceMemory.ts';
import type { Step } from '../budget/step.ts';
import type { Piece } from '../families/modelBuilder.ts';
import { GraphBuilder, type Operation } from '../graph/graph.ts';
import { newGradient } from '../graph/liveMemory.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import { newTensor } from '../graph/tensor.ts';
import { tensorParallelCuts } from '../states/tensorParallelCuts.ts';

/**
 * A step on one of `ranks` ranks that cut the residual stream along the sequence (Korthikanti et al. 2022, section 4.2.2):
 * layer inputs, norms, dropout masks and the inputs of column-cut linears. Such a linear keeps its rank's piece and reads a
 * gathered copy, which is there while it runs. Gradients are left whole, which stands for the copy that is gathered again in
 * the backward pass.
 */
export function sequenceParallelStep(step: Step, ranks: number): Step {
  if (ranks === 1) return step;
  const known = new Map<PieceMemory, PieceMemory>();
  const cutOf = (memory: PieceMemory): PieceMemory => {
    const cut = known.get(memory) ?? cutMemory(memory.piece, ranks);
    known.set(memory, cut);
    return cut;
  };
  return {
    ...step,
    units: step.units.map((unit) => (unit.isLayer ? { ...unit, memory: cutOf(unit.memory) } : unit)),
  };
}

/** All that is asked of a layer later, under whatever plan, is worked out from its operations; so these are cut. */
function cutMemory(piece: Piece, ranks: number): PieceMemory {
  const { operations, precision, training, kernels, locals } = piece.graph;
  const cuts = tensorParallelCuts(operations);
  const cutStorages = new Map<Storage, Storage>();
  for (const storage of residualStream(piece, cuts))
    cutStorages.set(storage, { ...storage, bytes: Math.ceil(storage.bytes / ranks) });
  const cutTensors = new Map<Tensor, Tensor>();
  const cut = (tensor: Tensor): Tensor => {
    const storage = cutStorages.get(tensor.storage);
    if (storage === undefined) return tensor;
    const known = cutTensors.get(tensor) ?? { ...tensor, storage };
    cutTensors.set(tensor, known);
    return known;
  };
  const graph = new GraphBuilder(precision, training, kernels);
  graph.locals.push(...locals.map(cut));
  for (const operation of operations) {
    const [input, weight, ...more] = operation.inputs;
    const here = { ...operation, outputs: operation.outputs.map(cut), kept: operation.kept.map(cut) };
    if (
      input !== undefined &&
      weight !== undefined &&
      cutStorages.has(input.storage) &&
      cuts.get(weight.storage) === 0
    ) {
      const gathered = newTensor(input.shape, input.elementType, { requiresGradient: input.requiresGradient });
      graph.operations.push(gathering(cut(input), gathered, operation), {
        ...here,
        inputs: [gathered, weight, ...more],
      });
    } else graph.operations.push({ ...here, inputs: operation.inputs.map(cut) });
  }
  const output = cut(piece.output);
  const arriving = { ...newGradient(output), storage: { ...output.storage, role: 'activation' } } as const;
  return pieceMemory({ ...piece, graph, input: cut(piece.input), output }, arriving);
}

const gathering = (input: Tensor, gathered: Tensor, { part }: Operation): Operation => ({
  name: 'copy',
  part,
  inputs: [input],
  outputs: [gathered],
  kept: [],
});

/** Storages of the residual stream: the layer's input, results of row-cut linears, and whatever is made of these alone. */
function residualStream({ graph, input }: Piece, cuts: ReturnType<typeof tensorParallelCuts>): ReadonlySet<Storage> {
  const stream = new Set<Storage>([input.storage]);
  const isStream = ({ storage }: Tensor): boolean => stream.has(storage);
  const isActivation = ({ storage }: Tensor): boolean => storage.role === 'activation' || storage.role === 'boundary';
  for (const { name, inputs, outputs } of graph.operations) {
    const weight = inputs[1]?.storage;
    const belongs =
      name === 'linear'
        ? weight !== undefined && cuts.get(weight) === 1
        : inputs.some(isStream) && inputs.filter(isActivation).every(isStream);
    if (belongs) for (const { storage } of outputs) stream.add(storage);
  }
  return stream;
}
