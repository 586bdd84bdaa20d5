import type { Advice } from '../server/core/total/advise.ts';
import type { Assessment, Training } from '../server/core/total/assess.ts';
import type { Advised } from './derive.ts';

/** Long enough that moving a slider never waits for advice. */
const quietMilliseconds = 250;

/**
 * Advice takes tens of milliseconds, too long for every move of a slider: it is computed once values have been still for a
 * moment, and `changed` is called when it is there. Until then the advice before it is given, marked as pending.
 */
export function createAdvisor(
  advise: (training: Training, assessment: Assessment) => Advice,
  changed: () => void,
): (training: Training, assessment: Assessment) => Advised {
  let known: { readonly key: string; readonly advice: Advice | undefined; readonly model: string } | undefined;
  let wanted: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (training, assessment) => {
    const key = JSON.stringify(training);
    if (known?.key === key) return { advice: known.advice, isPending: false };
    const model = JSON.stringify(training.model);
    if (wanted !== key) {
      wanted = key;
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A failure must not be tried again with every redraw.
        known = { key, advice: undefined, model };
        try {
          known = { key, advice: advise(training, assessment), model };
        } finally {
          changed();
        }
      }, quietMilliseconds);
    }
    // What was advised for another model says nothing about this one.
    return { advice: known?.model === model ? known.advice : undefined, isPending: true };
  };
}
