import type { Source, Surroundings } from './source.ts';

/** Whether a call does not belong to the run: it stands under a condition that does not hold. */
export const isAside = (source: Source, { around }: { readonly around: Surroundings }): boolean =>
  around.conditions.some((condition) => source.holds(condition) === false);

/** What a function for evaluation or generation does is not how the model is trained. */
export const isEvaluation = ({ around }: { readonly around: Surroundings }): boolean =>
  /(^|_)(eval\w*|valid\w*|test\w*|infer\w*|generat\w*|predict\w*|sample)(_|$)/i.test(around.function?.name.name ?? '');
