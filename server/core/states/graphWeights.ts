import type { ModelGraph, Piece, Unit } from '../families/modelBuilder.ts';
import type { Operation } from '../graph/graph.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import { type CutDimension, tensorParallelCuts } from './tensorParallelCuts.ts';
import type { ModelWeights, WeightRole, WeightTensor, WeightUnit } from './weights.ts';

/**
 * The weights of a model as its graph uses them, every family alike. Layers of one kind are a unit with repeats; a weight
 * that several pieces use counts where it is used first. Tensors of another type than the model's own weights (adapters) say
 * so.
 */
export function graphWeights(model: Pick<ModelGraph, 'units'>): ModelWeights {
  const lastLayer = model.units.findLastIndex(isLayer);
  const firstLayer = model.units.findIndex(isLayer);
  const usedLater = new Set<Storage>(
    model.units.slice(lastLayer + 1).flatMap(({ piece }) => [...parametersOf(piece).keys()]),
  );
  const seen = new Set<Storage>();
  const units: WeightUnit[] = [];
  let piece: Piece | undefined;
  model.units.forEach((unit, at) => {
    const last = units.at(-1);
    if (unit.piece === piece && isLayer(unit) && last !== undefined) {
      units[units.length - 1] = { ...last, repeats: last.repeats + 1 };
      return;
    }
    piece = unit.piece;
    const place = isLayer(unit) ? 'layers' : at < firstLayer ? 'before' : at > lastLayer ? 'after' : 'layers';
    const isTied = (storage: Storage): boolean => place === 'before' && lastLayer >= 0 && usedLater.has(storage);
    const tensors = tensorsOf(unit, place, seen, isTied);
    if (tensors.length > 0) units.push({ name: unit.piece.name, place, repeats: 1, tensors });
  });
  return { units };
}

const isLayer = ({ kind }: Unit): boolean => kind === 'layer';

/** The parameters a piece reads, with the operation that reads each first. */
function parametersOf({ graph }: Piece): ReadonlyMap<Storage, Use> {
  const uses = new Map<Storage, Use>();
  const casts = new Map<Storage, Storage>();
  for (const operation of graph.operations) {
    for (const [at, tensor] of operation.inputs.entries()) {
      const isParameter = tensor.storage.role === 'parameter';
      const storage = isParameter ? tensor.storage : casts.get(tensor.storage);
      const known = storage && uses.get(storage);
      if (storage === undefined) continue;
      // Autocast's copy of a weight stands for the weight: what reads the copy says what the weight is for.
      if (operation.part === 'weight-copies')
        for (const output of operation.outputs) casts.set(output.storage, storage);
      if (known === undefined) uses.set(storage, { tensor, operation, at });
      else if (known.operation.part === 'weight-copies') uses.set(storage, { ...known, operation, at });
    }
  }
  return uses;
}

interface Use {
  readonly tensor: Tensor;
  readonly operation: Operation;
  /** Which of the operation's inputs it is. */
  readonly at: number;
}

function tensorsOf(
  { piece, kind }: Unit,
  place: WeightUnit['place'],
  seen: Set<Storage>,
  isTied: (storage: Storage) => boolean,
): readonly WeightTensor[] {
  const cuts = kind === 'layer' ? tensorParallelCuts(piece.graph.operations) : new Map<Storage, CutDimension>();
  const tensors: WeightTensor[] = [];
  for (const [storage, { tensor, operation, at }] of parametersOf(piece)) {
    // Layers of one kind are one piece, and each of them has weights of its own.
    if (kind === 'outside' && seen.has(storage)) continue;
    seen.add(storage);
    const role = roleOf(operation, at, place);
    const cut = role === 'embedding' || role === 'head' ? 0 : cuts.get(storage);
    const { elementType } = tensor;
    const isStoredOtherwise =
      (elementType === 'fp32' || elementType === 'bf16' || elementType === 'fp16') &&
      elementType !== piece.graph.precision.weights;
    tensors.push({
      name: `${operation.part} ${tensors.length}`,
      shape: tensor.shape,
      role,
      trainable: tensor.requiresGradient,
      ...(isStoredOtherwise ? { storage: elementType } : {}),
      ...(cut === undefined ? {} : { tensorParallelDimension: cut }),
      ...(operation.part === 'experts' && tensor.shape.length === 3 ? { expert: true } : {}),
      ...(isTied(storage) ? { tiedToHead: true } : {}),
    });
  }
  return tensors;
}

function roleOf({ name, part }: Operation, at: number, place: WeightUnit['place']): WeightRole {
  if (name === 'embedding' || name === 'embeddingBag') return 'embedding';
  if (name !== 'linear' || at !== 1 || part === 'adapters') return 'other';
  return place === 'after' ? 'head' : 'linear';
}
