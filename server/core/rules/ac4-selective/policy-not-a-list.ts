import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression } from '../../python/ast.ts';
import { selectiveContexts } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC403',
  name: 'policy-not-a-list',
  severity: 'error',
  summary: 'a set or tuple of operations where selective checkpointing takes a list',
  *check(context): Generator<Finding> {
    for (const { call, policy } of selectiveContexts(context)) {
      const kind = kindOf(policy, context, 0);
      if (kind === undefined) continue;
      yield {
        at: policy,
        about: call,
        message: `raises TypeError, policy_fn_or_list must be either a function or a list of ops: this is a ${kind}`,
        fixes: makeList(policy, context),
      };
    }
  },
};

const longestChain = 8;

/** The collection an expression certainly is, if torch refuses it. */
function kindOf(expression: Expression, context: LintContext, depth: number): string | undefined {
  if (depth > longestChain) return undefined;
  switch (expression.kind) {
    case 'set':
    case 'tuple':
    case 'dictionary':
      return expression.kind;
    case 'comprehension':
      return expression.form === 'set' || expression.form === 'dictionary' ? expression.form : undefined;
    case 'call': {
      const { callee } = expression;
      const isBuiltin = callee.kind === 'name' && context.names.bindingsOf(callee).length === 0;
      return isBuiltin && /^(set|frozenset|tuple|dict)$/.test(callee.name) ? callee.name : undefined;
    }
    case 'name': {
      const bindings = context.names.bindingsOf(expression);
      const [binding] = bindings;
      if (bindings.length !== 1 || binding?.to !== 'value') return undefined;
      return kindOf(binding.value, context, depth + 1);
    }
    default:
      return undefined;
  }
}

function makeList(policy: Expression, { module: { text } }: LintContext): Fix[] {
  const { start, end } = policy;
  const opens = text.charAt(start);
  const isDisplay = (policy.kind === 'set' && opens === '{') || (policy.kind === 'tuple' && opens === '(');
  const edits = isDisplay
    ? [
        { span: { start, end: start + 1 }, text: '[' },
        { span: { start: end - 1, end }, text: ']' },
      ]
    : [
        { span: { start, end: start }, text: 'list(' },
        { span: { start: end, end }, text: ')' },
      ];
  return [{ title: 'Make it a list', preferred: true, edits }];
}
