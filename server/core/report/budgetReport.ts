import type { Budget } from '../budget/account.ts';
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
  ...Object.entries({ ...run }),
];

/** What only the model's family has comes last, under the names of its configuration class. */
export const modelFactsByName = ({ settings, ...sizes }: ModelFacts): readonly (readonly [string, Fact<unknown>])[] => [
  ...Object.entries(sizes),
  ...Object.entries(settings ?? {}),
];
