import { type Budget, modelShape, type PytorchAccount, type RunShape, runShape } from '../budget/account.ts';
import { estimateBudget } from '../budget/estimate.ts';
import { detectRun } from '../facts/detectRun.ts';
import type { Fact, RunFacts } from '../facts/facts.ts';
import type { LintContext } from '../lint/rule.ts';

export interface QuotedBudget {
  readonly facts: RunFacts;
  readonly account: PytorchAccount;
  /** `batch 8, sequence 1024`, to say what a number holds for. */
  readonly setting: string;
  /** The same model under another run. */
  with(change: Partial<RunShape>): PytorchAccount | undefined;
}

/**
 * The budget of the run a file describes, for a message to quote; undefined unless the file itself says the model's, the
 * batch's and the sequence's size. A number built on a guess has no place in a finding.
 */
export function quotedBudget({ module, names, file }: LintContext): QuotedBudget | undefined {
  const facts = detectRun(module, names, file.path);
  if (facts?.model === undefined || !isSaid(facts.run.batch) || !isSaid(facts.run.sequence)) return undefined;
  const model = modelShape(facts.model);
  const run = runShape(facts.run);
  const estimate = (shape: RunShape): Budget['pytorch'] => estimateBudget(model, shape, 1).pytorch;
  const account = estimate(run);
  if (account === undefined) return undefined;
  return {
    facts,
    account,
    setting: `batch ${run.batch}, sequence ${run.sequence}`,
    with: (change) => estimate({ ...run, ...change }),
  };
}

const isSaid = ({ origin }: Fact<number>): boolean => origin.kind === 'literal' || origin.kind === 'derived';
