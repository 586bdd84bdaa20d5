import { readsImages } from '../budget/readsImages.ts';
import type { ModelFacts, RunSettings } from '../facts/facts.ts';

/** The sizes that memory is counted for and that no code says. */
export function sizesAssumed(
  { family }: ModelFacts,
  { batch, sequence }: RunSettings,
): { readonly batch?: number; readonly sequence?: number } {
  return {
    ...(batch.origin.kind === 'assumed' && { batch: batch.value }),
    ...(sequence.origin.kind === 'assumed' && !readsImages(family.value) && { sequence: sequence.value }),
  };
}

export const areSizesAssumed = (model: ModelFacts, run: RunSettings): boolean =>
  Object.keys(sizesAssumed(model, run)).length > 0;
