import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, FunctionDefinition, Lambda, Statement } from '../../python/ast.ts';
import { operationTests, policiesOf, policyMember } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC404',
  name: 'policy-saves-the-rest',
  severity: 'warning',
  summary: 'a policy that saves every operation it does not name',
  *check(context): Generator<Finding> {
    for (const policy of policiesOf(context)) {
      const rest = fallThrough(policy.definition);
      const tests = operationTests(policy, context);
      const positive = new Set(
        tests.filter(({ operator }) => operator === 'in' || operator === '==').map(({ test }) => test),
      );
      // A test that is anything else may leave few operations for the end.
      if (rest === undefined || !rest.tests.every((test) => alternatives(test).every((one) => positive.has(one))))
        continue;
      const member = policyMember(rest.value, context);
      if (member !== 'MUST_SAVE' && member !== 'PREFER_SAVE') continue;
      if (!rest.earlier.every((value) => isRecompute(value, context))) continue;
      yield {
        at: rest.value,
        about: rest.value,
        message: `${member} for every operation the policy does not name: saving all outputs keeps more than no checkpointing does, about twice as much on a textbook transformer block`,
        fixes: [],
      };
    }
  },
};

/** What a policy answers when none of its tests holds, the tests on the way there, and what they answer. */
interface FallThrough {
  readonly value: Expression;
  readonly tests: readonly Expression[];
  readonly earlier: readonly Expression[];
}

function fallThrough(definition: FunctionDefinition | Lambda): FallThrough | undefined {
  return definition.kind === 'lambda' ? ofExpression(definition.body) : ofBlock(definition.body);
}

/** Only a policy that is nothing but tests and answers is read. */
function ofBlock(block: readonly Statement[]): FallThrough | undefined {
  const tests: Expression[] = [];
  const earlier: Expression[] = [];
  for (const statement of block) {
    if (statement.kind === 'return') {
      const end = statement.value === undefined ? undefined : ofExpression(statement.value);
      return end && { value: end.value, tests: [...tests, ...end.tests], earlier: [...earlier, ...end.earlier] };
    }
    if (statement.kind === 'expression' && statement.value.kind === 'string') continue;
    if (statement.kind !== 'if') return undefined;
    for (const { test, body } of statement.branches) {
      const [answer] = body;
      if (body.length !== 1 || answer?.kind !== 'return' || answer.value === undefined) return undefined;
      tests.push(test);
      earlier.push(answer.value);
    }
    if (statement.orElse.length > 0) {
      const end = ofBlock(statement.orElse);
      return end && { value: end.value, tests: [...tests, ...end.tests], earlier: [...earlier, ...end.earlier] };
    }
  }
  return undefined;
}

function ofExpression(value: Expression): FallThrough | undefined {
  if (value.kind !== 'conditional') return { value, tests: [], earlier: [] };
  const end = ofExpression(value.whenFalse);
  return end && { value: end.value, tests: [value.test, ...end.tests], earlier: [value.whenTrue, ...end.earlier] };
}

const alternatives = (test: Expression): readonly Expression[] =>
  test.kind === 'binary' && test.operator === 'or' ? [...alternatives(test.left), ...alternatives(test.right)] : [test];

const isRecompute = (value: Expression, context: LintContext): boolean =>
  policyMember(value, context)?.endsWith('RECOMPUTE') ?? false;
