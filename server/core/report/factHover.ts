import { weightCounts } from '../budget/weightCounts.ts';
import type { Fact, ModelFacts, RunFacts, RunSettings } from '../facts/facts.ts';
import type { Span } from '../text/span.ts';
import { type Assessment, assess, type Training } from '../total/assess.ts';
import { trainingOf } from '../total/setupOfRun.ts';
import { areSizesAssumed } from '../total/sizesAssumed.ts';
import { checkpointingWords } from './checkpointingWords.ts';
import { bytesText, parametersText } from './quantities.ts';

/** What a value of the run means for memory, for a hover over the place where it is written. */
export interface FactHover {
  readonly at: Span;
  readonly markdown: string;
}

/** What is written at `offset` of the file `path`, where the budget rests on it. */
export function factHover(facts: RunFacts, path: string, offset: number): FactHover | undefined {
  const { model, run } = facts;
  if (model === undefined) return undefined;
  for (const { of, markdown } of subjects) {
    const fact = of(facts);
    const origin = fact?.origin;
    const place = origin !== undefined && 'place' in origin ? origin.place : undefined;
    if (fact === undefined || place === undefined || place.path !== path) continue;
    if (offset < place.span.start || offset > place.span.end) continue;
    const training = trainingOf(model, run, undefined);
    const { assessment } = assess(training, bytesText);
    const text = assessment && markdown(fact, { model, run }, training, assessment);
    return text === undefined ? undefined : { at: place.span, markdown: text };
  }
  return undefined;
}

/** Something written in code that a hover can be about. */
interface Subject {
  readonly of: (facts: RunFacts) => Fact<unknown> | undefined;
  /** Undefined where there is nothing to rely on. */
  readonly markdown: (fact: Fact<unknown>, known: Known, training: Training, now: Assessment) => string | undefined;
}

interface Known {
  readonly model: ModelFacts;
  readonly run: RunSettings;
}

const stepTakes = ({ now }: Assessment): string => `about ${bytesText(now.range.expected)} on one device`;

/** Changing it by a little tells what it costs. */
const lever = ({ title, step, of, more }: Lever): Subject => ({
  of,
  markdown(fact, _, training, now) {
    const changed = assess(more(training), bytesText).assessment;
    if (changed === undefined) return undefined;
    const change = changed.now.range.expected - now.now.range.expected;
    const effect =
      change === 0
        ? 'changes nothing at the peak'
        : `${change > 0 ? 'takes' : 'saves'} about ${bytesText(Math.abs(change))}`;
    return `**${title} ${String(fact.value)}**: ${step} ${effect}; a step now takes ${stepTakes(now)}`;
  },
});

const modelName: Subject = {
  of: ({ model }) => model?.name,
  markdown({ value }, { model, run }, _, assessment) {
    const parameters = `**${String(value)}**: ${parametersText(weightCounts(assessment.totals.stage).total)} parameters`;
    if (areSizesAssumed(model, run)) return parameters;
    const rows = assessment.parts.map(({ label, bytes }) => `| ${label} | ${bytesText(bytes)} |`);
    return [`${parameters}; a step takes ${stepTakes(assessment)}`, '', '| at the peak | |', '|---|--:|', ...rows].join(
      '\n',
    );
  },
};

const checkpointing: Subject = {
  of: ({ run }) => (run.checkpointing.value.mode === 'none' ? undefined : run.checkpointing),
  markdown(_, { model, run }, __, assessment) {
    if (areSizesAssumed(model, run)) return undefined;
    const none = assessment.strategies.find(({ name }) => name === 'none');
    const without = none === undefined ? '' : `, without checkpointing about ${bytesText(none.total.range.expected)}`;
    const words = checkpointingWords(run.checkpointing.value, assessment.totals.stage.layers);
    return `**${words}**: a step takes ${stepTakes(assessment)}${without}`;
  },
};

interface Lever {
  readonly title: string;
  readonly step: string;
  readonly of: (facts: RunFacts) => Fact<unknown> | undefined;
  readonly more: (training: Training) => Training;
}

const levers: readonly Lever[] = [
  {
    title: 'Micro-batch',
    step: 'one sequence more',
    of: ({ run }) => run.batch,
    more: (training) => ({ ...training, run: { ...training.run, batch: training.run.batch + 1 } }),
  },
  {
    title: 'Sequence',
    step: '128 tokens more',
    of: ({ run }) => run.sequence,
    more: (training) => ({ ...training, run: { ...training.run, sequence: training.run.sequence + 128 } }),
  },
  {
    title: 'Layers',
    step: 'one layer more',
    of: ({ model }) => model?.layers,
    more: (training) => ({ ...training, model: { ...training.model, layers: training.model.layers + 1 } }),
  },
  {
    title: 'Vocabulary',
    step: '1000 tokens more',
    of: ({ model }) => model?.vocabulary,
    more: (training) => ({ ...training, model: { ...training.model, vocabulary: training.model.vocabulary + 1000 } }),
  },
  {
    title: 'Attention',
    step: 'fused attention (sdpa)',
    of: ({ run }) => (run.attention.value === 'eager' ? run.attention : undefined),
    more: (training) => ({ ...training, run: { ...training.run, attention: 'sdpa' } }),
  },
];

const subjects: readonly Subject[] = [modelName, checkpointing, ...levers.map(lever)];
