import type { Budget } from '../budget/account.ts';
import { readsImages } from '../budget/readsImages.ts';
import type { Fact, ModelFacts, RunSettings } from '../facts/facts.ts';
import type { Advice } from '../total/advise.ts';
import type { Assessment } from '../total/assess.ts';

/** What `budget` tells about one model and one run. */
export interface BudgetReport {
  readonly model: ModelFacts;
  readonly run: RunSettings;
  readonly budget: Budget;
  /** Of the whole device; undefined where the family has no account. */
  readonly assessment: Assessment | undefined;
  /** Only where a device is named. */
  readonly advice: Advice | undefined;
  readonly notes: readonly string[];
}

/** All values the accounts rest on by field name, in the order to show them. No name is in both halves. */
export const reportedFacts = ({ model, run }: BudgetReport): readonly (readonly [string, Fact<unknown>])[] => [
  ...modelFactsByName(model),
  ...runFactsByName(model, run),
];

/** What a model of images has no use for. */
const isOfText: ReadonlySet<string> = new Set(['vocabulary', 'maximumSequence', 'tiedEmbeddings', 'sequence']);

export const runFactsByName = (
  { family }: ModelFacts,
  run: RunSettings,
): readonly (readonly [string, Fact<unknown>])[] =>
  Object.entries({ ...run }).filter(([name]) => !isOfText.has(name) || !readsImages(family.value));

/**
 * What only the model's family has comes last, under the names of its configuration class. One that is a size's name too
 * (the blocks in each of a ResNet's `layers`) says whose it is.
 */
export const modelFactsByName = ({ settings, ...sizes }: ModelFacts): readonly (readonly [string, Fact<unknown>])[] => [
  ...Object.entries(sizes).filter(([name]) => !isOfText.has(name) || !readsImages(sizes.family.value)),
  ...Object.entries(settings ?? {}).map(
    ([name, fact]) => [Object.hasOwn(sizes, name) ? `settings.${name}` : name, fact] as const,
  ),
];
