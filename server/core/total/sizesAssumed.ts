import { readsImages } from '../budget/readsImages.ts';
import type { ModelFacts, RunSettings } from '../facts/facts.ts';

/** Whether memory would be counted for a batch or a sequence that no code says. */
export function areSizesAssumed({ family }: ModelFacts, { batch, sequence }: RunSettings): boolean {
  const sizes = readsImages(family.value) ? [batch] : [batch, sequence];
  return sizes.some(({ origin }) => origin.kind === 'assumed');
}
