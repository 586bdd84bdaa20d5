import { modelShape, runShape } from '../../server/core/budget/account.ts';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import { detectRun } from '../../server/core/facts/detectRun.ts';
import { type LintOptions, lint } from '../../server/core/lint/engine.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import { parsePython, pythonParser } from '../support/python.ts';
import { type Figure, printTimes, repeated, type Times } from './figures.ts';
import { ruleCostBar, ruleCostLine, ruleCosts } from './ruleCost.ts';
import { trainingCode } from './trainingCode.ts';

const lintOptions: LintOptions = {
  rules: allRules,
  versions: {},
  severities: {},
  onCrash(rule, error) {
    throw new Error(rule.code, { cause: error });
  },
};

/** What the parts of an analysis cost, as ratios to the parse: times are noisy, ratios of one run are less so. */
export function measure(): readonly Figure[] {
  const text = trainingCode(2_000);
  console.log(`  ${text.split('\n').length} lines, ${(text.length / 1000).toFixed(0)} KB`);
  const parse = repeated(30, () => parsePython(text));
  const print = (what: string, times: Times): void =>
    printTimes(what, times, `${(times.median / parse.median).toFixed(2)} × parse`);
  print('parse and lower', parse);

  const tracked = pythonParser.track();
  tracked.update(text);
  let keys = 0;
  const middle = text.indexOf('hidden_states', text.length / 2);
  const withKey = (key: string): string =>
    `${text.slice(0, middle)}${keys++ % 2 === 0 ? key : ''}${text.slice(middle)}`;
  print(
    'parse and lower after one keystroke',
    repeated(30, () => tracked.update(withKey('x'))),
  );
  print(
    'the same where a bracket is left open',
    repeated(30, () => tracked.update(withKey('('))),
  );
  tracked.dispose();

  const module = parsePython(text);
  print(
    'names, sites and all rules, of code seen before',
    repeated(30, () => lint(sourceFile('train.py', module), lintOptions)),
  );
  const file = sourceFile('train.py', module);
  print(
    'facts of the run',
    repeated(30, () => detectRun(module, file.names, 'train.py')),
  );
  const facts = detectRun(module, file.names, 'train.py');
  if (facts?.model !== undefined) {
    const model = modelShape(facts.model);
    const run = runShape(facts.run);
    let batch = 1;
    print(
      'budget, all segment lengths',
      repeated(30, () => estimateBudget(model, { ...run, batch: batch++ }, 1)),
    );
  }
  const costs = ruleCosts(text);
  console.log(`  ${ruleCostLine(costs)}`);
  const worst = 100 * (costs[0]?.share ?? 0);
  return [{ what: 'the dearest rule, of the parse', value: worst, unit: '%', atMost: 100 * ruleCostBar }];
}
