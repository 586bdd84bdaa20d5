import type { FlagList } from '../../config/flags.ts';
import type { ConfigContext, Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Collection, Expression } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { expressionsOf, statementsOf } from '../../python/walk.ts';
import { recomputeProblems } from '../megatronRecompute.ts';

export const rule: Rule = {
  code: 'AC610',
  name: 'megatron-recompute-flags',
  severity: 'error',
  summary: 'recomputation flags that Megatron-LM refuses together, or that have no effect',
  *check(context): Generator<Finding> {
    const { module } = context;
    if (!mentions(module, '--recompute-')) return;
    for (const expression of expressionsOf(module)) {
      if (expression.kind !== 'list' && expression.kind !== 'tuple') continue;
      for (const problem of recomputeProblems(flagsIn(context, expression))) {
        yield { ...problem, about: expression, fixes: [] };
      }
    }
  },
  *checkConfig({ file }: ConfigContext): Generator<Finding> {
    if (file.format !== 'shell') return;
    // One variable may reach several commands; what is wrong with it is said once.
    const said = new Set<number>();
    for (const flags of file.flags) {
      for (const problem of recomputeProblems(flags)) {
        if (said.has(problem.at.start)) continue;
        said.add(problem.at.start);
        yield { ...problem, about: problem.at, fixes: [] };
      }
    }
  },
};

function flagsIn(context: LintContext, list: Collection): FlagList {
  const words = list.elements.map((element) => ({
    text: element.kind === 'string' ? element.value : undefined,
    at: { start: element.start, end: element.end },
  }));
  const starred = list.elements.some(({ kind }) => kind === 'starred');
  // A list of the whole command, not a part of one that is put together elsewhere.
  const isCommand = words.some(({ text }) => text?.endsWith('.py') === true || text === '--num-layers');
  return { words, complete: !starred && isCommand && isUsedAsItIs(context, list) };
}

/** The list goes straight into a call, or is bound to a name that nothing adds to. */
function isUsedAsItIs({ module, calls }: LintContext, list: Expression): boolean {
  if (calls.all().some((call) => call.arguments.some((argument) => argument.value === list))) return true;
  for (const statement of statementsOf(module.body)) {
    if (statement.kind !== 'assign' || statement.value !== list) continue;
    const [target] = statement.targets;
    if (target?.kind !== 'name') return false;
    const name = target.name;
    const added = new RegExp(`\\b${name}\\s*\\+|\\+\\s*${name}\\b|\\*${name}\\b|\\b${name}\\.\\w+\\(`);
    return statement.targets.length === 1 && !added.test(module.text);
  }
  return false;
}
