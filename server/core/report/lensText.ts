import { planNow } from '../budget/planNow.ts';
import { weightCounts } from '../budget/weightCounts.ts';
import type { ModelFacts, Place, RunFacts } from '../facts/facts.ts';
import { assess } from '../total/assess.ts';
import { extraStepOf } from '../total/extraStep.ts';
import { trainingOf } from '../total/setupOfRun.ts';
import { areSizesAssumed } from '../total/sizesAssumed.ts';
import type { TotalMemory } from '../total/totalMemory.ts';
import { checkpointingWords } from './checkpointingWords.ts';
import { bytesText, parametersText, shareText } from './quantities.ts';

/** A line above a line of code that says what it means for memory. */
export interface LensText {
  readonly place: Place;
  readonly text: string;
}

/**
 * Above the model, what a step takes; above what switches checkpointing on, what that changes. Nothing where a value is only
 * assumed: a number above a person's code must be about that code.
 */
export function lensTexts({ model, run }: RunFacts): readonly LensText[] {
  if (model === undefined || areSizesAssumed(model, run)) return [];
  const { assessment } = assess(trainingOf(model, run, undefined), bytesText);
  if (assessment === undefined) return [];
  const { now, strategies } = assessment;
  const { stage } = assessment.totals;
  const parameters = weightCounts(stage).total;
  const texts: LensText[] = [];
  const modelPlace = placeOf(model.name.origin);
  if (modelPlace !== undefined) {
    const step = `about ${bytesText(now.range.expected)} for a step on one device`;
    texts.push({ place: modelPlace, text: `${parametersText(parameters)} parameters, ${step}` });
  }
  const switchPlace = placeOf(run.checkpointing.origin);
  const none = strategies.find(({ name }) => name === 'none');
  const used = run.checkpointing.value;
  if (switchPlace !== undefined && none !== undefined && used.mode !== 'none') {
    const bytes = `${bytesText(mostActivationBytes(now))} of activations instead of ${bytesText(mostActivationBytes(none.total))}`;
    const extra = extraStepOf(stage, planNow(used, stage.layers));
    texts.push({
      place: switchPlace,
      text: `${checkpointingWords(used, stage.layers)}: ${bytes}, +${shareText(extra)} work`,
    });
  }
  return texts;
}

/** The most there are over a step, which is not always when everything together is most. */
const mostActivationBytes = ({ moments }: TotalMemory): number =>
  Math.max(...moments.map(({ activationBytes }) => activationBytes));

const placeOf = (origin: ModelFacts['name']['origin']): Place | undefined =>
  'place' in origin ? origin.place : undefined;
