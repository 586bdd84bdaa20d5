import type { Section } from './comparison.ts';
import { allocatorPeaks } from './sections/allocatorPeaks.ts';
import { checkpointPeaks } from './sections/checkpointPeaks.ts';
import { learningWeights } from './sections/learningWeights.ts';
import { measuredRuns } from './sections/measuredRuns.ts';
import { publishedPlans } from './sections/plans.ts';
import { publishedFormulas } from './sections/publishedFormulas.ts';
import { savedBytes } from './sections/savedBytes.ts';
import { sideBySide } from './sections/sideBySide.ts';

/** Everything that is the same on every machine; speed is not. */
export const accuracySections = (): readonly Section[] => [
  savedBytes(),
  checkpointPeaks(),
  learningWeights(),
  allocatorPeaks(),
  publishedFormulas(),
  publishedPlans(),
  measuredRuns(),
  sideBySide(),
];
