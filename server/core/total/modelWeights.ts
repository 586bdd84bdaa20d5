import type { Step, StepUnit } from '../budget/step.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import type { ModelWeights, WeightRole, WeightTensor, WeightUnit } from '../states/weights.ts';

/**
 * The weights of the very graphs the activations are counted from, so that both halves of a budget speak of one model. A
 * weight that several pieces use (a tied embedding) stands with the first of them.
 */
export function modelWeights(step: Step): ModelWeights {
  const units: WeightUnit[] = [];
  const uses = usesOfWeights(step);
  const placed = new Set<Storage>();
  let last: StepUnit['memory'] | undefined;
  step.units.forEach((unit, at) => {
    const { memory } = unit;
    const place = unit.isLayer ? 'layers' : at >= step.firstHeadUnit ? 'after' : 'before';
    const previous = units.at(-1);
    // Equal layers in a row are one unit, many times.
    if (memory === last && previous?.place === place)
      units[units.length - 1] = { ...previous, repeats: previous.repeats + 1 };
    else {
      const fresh = [...memory.weights].filter(([storage]) => unit.isLayer || !placed.has(storage));
      for (const [storage] of fresh) placed.add(storage);
      const tensors = fresh.map(([storage, weight], index) => tensorOf(weight, index, uses.get(storage)));
      if (tensors.length > 0) units.push({ name: memory.piece.name, place, repeats: 1, tensors });
    }
    last = memory;
  });
  return { units };
}

/** What is done with a weight, and in how many pieces. */
interface Uses {
  readonly role: WeightRole;
  readonly pieces: number;
  readonly isExpert: boolean;
}

function usesOfWeights(step: Step): ReadonlyMap<Storage, Uses> {
  const uses = new Map<Storage, Uses>();
  for (const memory of new Set(step.units.map((unit) => unit.memory))) {
    const here = new Map<Storage, Uses>();
    for (const { name, part, inputs } of memory.piece.graph.operations) {
      inputs.forEach(({ storage, shape }, at) => {
        if (storage.role !== 'parameter' || here.has(storage)) return;
        const role = name === 'embedding' ? 'embedding' : shape.length > 1 && at > 0 ? 'linear' : 'other';
        here.set(storage, { role, pieces: 1, isExpert: part === 'experts' && shape.length > 2 });
      });
    }
    for (const [storage, use] of here) {
      const earlier = uses.get(storage);
      uses.set(storage, earlier ? { ...earlier, pieces: earlier.pieces + 1 } : use);
    }
  }
  return uses;
}

const tensorOf = ({ shape, elementType, requiresGradient }: Tensor, index: number, uses?: Uses): WeightTensor => ({
  name: `weight ${index}`,
  shape,
  role: uses?.role ?? 'other',
  trainable: requiresGradient,
  ...(elementType === 'fp32' && { storage: 'fp32' as const }),
  ...(uses?.isExpert === true && { expert: true }),
  ...(uses !== undefined && uses.pieces > 1 && uses.role === 'embedding' && { tiedToHead: true }),
});
