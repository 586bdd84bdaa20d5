import type { PieceMemory } from './pieceMemory.ts';

/** A simulation asks for the same piece under the same treatment once for every layer; it is worked out once. */
export function rememberedPerPiece<Treatment, Result>(
  compute: (memory: PieceMemory, treatment: Treatment) => Result,
): (memory: PieceMemory, treatment: Treatment) => Result {
  const known = new WeakMap<PieceMemory, Map<Treatment, Result>>();
  return (memory, treatment) => {
    const ofPiece = known.get(memory) ?? new Map<Treatment, Result>();
    known.set(memory, ofPiece);
    const earlier = ofPiece.get(treatment);
    if (earlier !== undefined) return earlier;
    const result = compute(memory, treatment);
    ofPiece.set(treatment, result);
    return result;
  };
}
