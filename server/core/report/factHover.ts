import type { Fact, RunFacts } from '../facts/facts.ts';
import type { Span } from '../text/span.ts';
import { assess, type Training } from '../total/assess.ts';
import { trainingOf } from '../total/setupOfRun.ts';
import { bytesText } from './quantities.ts';

/** What a value of the run means for memory, for a hover over the place where it is written. */
export interface FactHover {
  readonly at: Span;
  readonly markdown: string;
}

/** The value written at `offset` of the file `path`, if the budget rests on it and changing it would change the memory. */
export function factHover(facts: RunFacts, path: string, offset: number): FactHover | undefined {
  const { model, run } = facts;
  if (model === undefined) return undefined;
  for (const lever of levers) {
    const fact = lever.of(facts);
    const origin = fact?.origin;
    const place = origin !== undefined && 'place' in origin ? origin.place : undefined;
    if (fact === undefined || place === undefined || place.path !== path) continue;
    if (offset < place.span.start || offset > place.span.end) continue;
    const training = trainingOf(model, run, undefined);
    const [now, then] = [expectedBytes(training), expectedBytes(lever.more(training))];
    if (now === undefined || then === undefined) return undefined;
    const change = then - now;
    const effect =
      change === 0
        ? 'changes nothing at the peak'
        : `${change > 0 ? 'takes' : 'saves'} about ${bytesText(Math.abs(change))}`;
    return {
      at: place.span,
      markdown: `**${lever.title} ${String(fact.value)}**: ${lever.step} ${effect}; a step now takes about ${bytesText(now)} on one device`,
    };
  }
  return undefined;
}

const expectedBytes = (training: Training): number | undefined =>
  assess(training, bytesText).assessment?.now.range.expected;

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
