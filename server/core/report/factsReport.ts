import type { FoundRun } from '../facts/configFiles/runs.ts';
import type { Fact, RunFacts } from '../facts/facts.ts';
import { modelFactsByName } from './budgetReport.ts';

/** What `facts` tells: the runs that were found, and all of one of them. */
export interface FactsReport {
  readonly runs: readonly FoundRun[];
  /** Undefined where no file describes a run. */
  readonly chosen: FoundRun | undefined;
}

/** Every value by its field's name, in the order to show them. No name is in both halves. */
export const factsByName = ({ model, namedModel, run }: RunFacts): readonly (readonly [string, Fact<unknown>])[] => [
  ...(namedModel === undefined ? [] : [['name', namedModel] as const]),
  ...(model === undefined ? [] : modelFactsByName(model)),
  ...Object.entries({ ...run }),
];
