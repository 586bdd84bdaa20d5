import { weightCounts } from '../budget/weightCounts.ts';
import type { ModelFacts, Place, RunFacts, RunSettings } from '../facts/facts.ts';
import { assess } from '../total/assess.ts';
import { trainingOf } from '../total/setupOfRun.ts';
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
  if (model === undefined || isAssumed(run)) return [];
  const { assessment } = assess(trainingOf(model, run, undefined), bytesText);
  if (assessment === undefined) return [];
  const { now, strategies } = assessment;
  const parameters = weightCounts(assessment.totals.stage).total;
  const texts: LensText[] = [];
  const modelPlace = placeOf(model.name.origin);
  if (modelPlace !== undefined) {
    const step = `about ${bytesText(now.range.expected)} for a step on one device`;
    texts.push({ place: modelPlace, text: `${parametersText(parameters)} parameters, ${step}` });
  }
  const switchPlace = placeOf(run.checkpointing.origin);
  const none = strategies.find(({ name }) => name === 'none');
  const used = strategies.find(({ name }) => name === run.checkpointing.value.mode);
  if (switchPlace !== undefined && none !== undefined && used !== undefined && used !== none) {
    const how = checkpointingText(model, run);
    const bytes = `${bytesText(now.peak.activationBytes)} of activations instead of ${bytesText(none.total.peak.activationBytes)}`;
    texts.push({ place: switchPlace, text: `${how}: ${bytes}, +${shareText(used.extraStep)} work` });
  }
  return texts;
}

const isAssumed = (run: RunSettings): boolean =>
  [run.batch, run.sequence].some(({ origin }) => origin.kind === 'assumed');

const placeOf = (origin: ModelFacts['name']['origin']): Place | undefined =>
  'place' in origin ? origin.place : undefined;

function checkpointingText(model: ModelFacts, { checkpointing: { value } }: RunSettings): string {
  if (value.mode === 'selective') return 'Attention core recomputed';
  if (value.mode === 'policy' || value.mode === 'policy-second') return 'Selective checkpointing';
  const segments = Math.ceil(model.layers.value / value.segment);
  return `${segments} ${segments === 1 ? 'segment' : 'segments'} of ${value.segment}`;
}
