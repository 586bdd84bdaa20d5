import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Call, FunctionDefinition, Lambda, Name } from '../../python/ast.ts';
import { bindAsDefaults, passItself } from '../bindCaptured.ts';
import { checkpointedClosures } from '../checkpointedClosures.ts';
import { replacedForwards } from '../replacedForwards.ts';

export const rule: Rule = {
  code: 'AC301',
  name: 'late-binding-closure',
  severity: 'error',
  summary: 'a lambda or local function reads a loop variable again when backward recomputes it',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const { call, closure, isReentrant, late: names } of checkpointedClosures(context)) {
      const [first] = names;
      if (first === undefined || reported.has(first.start)) continue;
      reported.add(first.start);
      const effect = isReentrant ? 'the gradients belong to the last value alone' : 'the gradients are silently wrong';
      const message = `${listOf(names)} has another value when backward recomputes this region: ${effect}, or shapes that differ raise`;
      yield { at: first, about: call, message, fixes: fixesFor(context, call, closure, names) };
    }
    for (const { call, closure, names } of replacedForwards(context)) {
      const [first] = names;
      if (first === undefined || reported.has(first.start)) continue;
      reported.add(first.start);
      const message = `${listOf(names)} is read when the model runs, after the loop: every forward replaced here runs the last one`;
      const defaults = bindAsDefaults(context.module, call, closure, distinct(names));
      const fixes = defaults === undefined ? [] : [{ title: bindTitle(names), preferred: true, edits: defaults }];
      yield { at: first, about: call, message, fixes };
    }
  },
};

function fixesFor(
  context: LintContext,
  call: Call,
  closure: FunctionDefinition | Lambda,
  names: readonly Name[],
): Fix[] {
  const fixes: Fix[] = [];
  const itself = passItself(context.module, call, closure);
  if (itself !== undefined) {
    fixes.push({ title: `Pass ${itself.callee} itself`, preferred: true, edits: itself.edits });
  }
  const defaults = bindAsDefaults(context.module, call, closure, distinct(names));
  if (defaults !== undefined) {
    fixes.push({ title: bindTitle(names), preferred: itself === undefined, edits: defaults });
  }
  return fixes;
}

const bindTitle = (names: readonly Name[]): string =>
  `Bind ${listOf(names)} with default argument${distinct(names).length === 1 ? '' : 's'}`;

const listOf = (names: readonly Name[]): string => distinct(names).join(', ');

const distinct = (names: readonly Name[]): string[] => [...new Set(names.map(({ name }) => name))];
