import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, Statement } from '../../python/ast.ts';
import { statementsOf } from '../../python/walk.ts';
import { expressionsIn } from '../../sites/region.ts';
import { isBefore } from '../../torch/version.ts';
import { type Policy, policiesOf } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC405',
  name: 'stateful-policy',
  severity: 'warning',
  summary: 'a policy that counts, or asks whether it runs in the recomputation: torch 2.13 changed when it runs',
  *check(context): Generator<Finding> {
    const { torch } = context.versions;
    const asksTwice = torch !== undefined && isBefore(torch, 2, 13);
    for (const policy of policiesOf(context)) {
      const asked = recomputeAsked(policy, context);
      const changed = changedState(policy, context);
      if (asked !== undefined && torch !== undefined && !asksTwice) {
        yield {
          at: asked,
          about: asked,
          severity: 'hint',
          message: 'is_recompute is always False since torch 2.13, which runs the policy in forward alone',
          fixes: [],
        };
      } else if (asked === undefined && changed !== undefined && (torch === undefined || asksTwice)) {
        yield {
          at: changed,
          about: changed,
          severity: asksTwice ? 'warning' : 'information',
          message:
            'before torch 2.13 the policy runs again in the recomputation and this state goes on from there, so other operations are looked up than were saved',
          fixes: [],
        };
      }
    }
  },
};

/** `ctx.is_recompute`. */
const recomputeAsked = ({ definition, context: own }: Policy, { names }: LintContext): Expression | undefined =>
  expressionsIn(definition).find(
    (one) =>
      one.kind === 'attribute' &&
      one.attribute.name === 'is_recompute' &&
      one.object.kind === 'name' &&
      names.bindingsOf(one.object).some((binding) => binding.to === 'parameter' && binding.parameter === own),
  );

/** Something from outside the policy that it counts up. */
function changedState({ definition }: Policy, { names }: LintContext): Expression | undefined {
  if (definition.kind === 'lambda') return undefined;
  const statements: Statement[] = [...statementsOf(definition.body)];
  const outer = new Set(statements.flatMap((one) => (one.kind === 'global' ? one.names : [])));
  for (const statement of statements) {
    if (statement.kind !== 'augmentedAssign') continue;
    let root = statement.target;
    while (root.kind === 'attribute' || root.kind === 'subscript') root = root.object;
    if (root.kind !== 'name') continue;
    const isPlain = root === statement.target;
    const isOutside = isPlain
      ? outer.has(root.name)
      : names
          .bindingsOf(root)
          .every(
            ({ scope, to }) =>
              scope.node !== definition || (to === 'parameter' && root.kind === 'name' && root.name === 'self'),
          );
    if (isOutside) return statement.target;
  }
  return undefined;
}
