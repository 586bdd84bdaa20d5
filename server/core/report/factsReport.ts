import type { FoundRun } from '../facts/configFiles/runs.ts';
import type { Fact, RunFacts } from '../facts/facts.ts';
import { modelFactsByName, runFactsByName } from './budgetReport.ts';

/** What `facts` tells: the runs that were found, and all of one of them. */
export interface FactsReport {
  readonly runs: readonly FoundRun[];
  /** Undefined where no file describes a run. */
  readonly chosen: FoundRun | undefined;
}

/** Every value by its field's name, in the order to show them. No name is in both halves. */
export const factsByName = ({ model, namedModel, run }: RunFacts): readonly (readonly [string, Fact<unknown>])[] => [
  ...(namedModel === undefined ? [] : [['name', namedModel] as const]),
  ...(model === undefined ? Object.entries({ ...run }) : [...modelFactsByName(model), ...runFactsByName(model, run)]),
];

/** Those a person has a use for: where no model is known, what is assumed or usual of it says nothing about the run. */
export const toldFacts = (facts: RunFacts): ReturnType<typeof factsByName> =>
  factsByName(facts).filter(
    ([name, { origin }]) =>
      facts.model !== undefined || !(origin.kind === 'assumed' || (name === 'attention' && origin.kind === 'default')),
  );
