import type { LintContext } from '../lint/rule.ts';
import { givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, FunctionDefinition, Lambda, Parameter } from '../python/ast.ts';
import { enclosing } from '../python/enclosing.ts';
import { mentions } from '../python/mentions.ts';
import type { Target } from '../python/names.ts';
import { statementsOf } from '../python/walk.ts';
import { expressionsIn } from '../sites/region.ts';

export const createContexts = 'torch.utils.checkpoint.create_selective_checkpoint_contexts';
export const policyClass = 'torch.utils.checkpoint.CheckpointPolicy';

/** One place that says by which policy selective checkpointing goes: a call of the function, or a `partial` of it. */
export interface SelectiveContexts {
  readonly call: Call;
  /** The policy function or the list of operations. */
  readonly policy: Expression;
}

export function selectiveContexts({ calls, names }: LintContext): SelectiveContexts[] {
  const direct = calls.to(createContexts).flatMap(({ call, given }) => {
    const policy = keywordNamed(given, 'policy_fn_or_list') ?? given.positional[0];
    return policy === undefined || policy.preset ? [] : [{ call, policy: policy.value }];
  });
  const partials = calls.to('functools.partial').flatMap(({ call }) => {
    const [first, ...rest] = call.arguments;
    if (first?.kind !== 'positional' || names.qualifiedName(first.value) !== createContexts) return [];
    const given = givenArguments([], rest);
    const policy = keywordNamed(given, 'policy_fn_or_list') ?? given.positional[0];
    return policy === undefined ? [] : [{ call, policy: policy.value }];
  });
  return [...direct, ...partials];
}

/** A function that torch asks, for each operation of a region, whether to save its result. */
export interface Policy {
  readonly definition: FunctionDefinition | Lambda;
  readonly context: Parameter;
  readonly operation: Parameter;
}

/** Functions given to selective checkpointing, and functions that answer with a `CheckpointPolicy`. */
export function policiesOf(context: LintContext): Policy[] {
  const { module, names } = context;
  const found = new Map<FunctionDefinition | Lambda, Policy>();
  const take = (definition: Target['definition'], presets: number): void => {
    if (definition === undefined || definition.kind === 'class' || found.has(definition)) return;
    const isMethod = definition.parameters[0]?.name === 'self' ? 1 : 0;
    const [own, operation] = definition.parameters.slice(isMethod + presets);
    if (own?.form === 'plain' && operation?.form === 'plain') {
      found.set(definition, { definition, context: own, operation });
    }
  };
  for (const { policy } of selectiveContexts(context)) {
    for (const { definition, preset } of targetsOf(policy, context)) {
      if (preset.every(({ kind }) => kind !== 'splat')) {
        take(definition, preset.filter(({ kind }) => kind === 'positional').length);
      }
    }
  }
  if (mentions(module, 'CheckpointPolicy')) {
    for (const statement of statementsOf(module.body)) {
      if (statement.kind === 'function' && answersWithPolicy(statement, context)) take(statement, 0);
    }
  }
  return [...found.values()].sort((a, b) => a.definition.start - b.definition.start);

  function targetsOf(policy: Expression, { file }: LintContext): readonly Target[] {
    const { targets } = names.resolve(policy);
    if (targets.length > 0 || policy.kind !== 'call') return targets;
    const [factory, ...others] = file.names.resolve(policy.callee).targets;
    if (others.length > 0 || factory?.definition?.kind !== 'function') return [];
    return factory.definition.body.flatMap((one) =>
      one.kind === 'return' && one.value !== undefined ? names.resolve(one.value).targets : [],
    );
  }
}

/** `MUST_SAVE` of `CheckpointPolicy.MUST_SAVE`; undefined for anything else. */
export function policyMember(expression: Expression, { names }: LintContext): string | undefined {
  const qualified = names.qualifiedName(expression);
  return qualified?.startsWith(`${policyClass}.`) ? qualified.slice(policyClass.length + 1) : undefined;
}

function answersWithPolicy(definition: FunctionDefinition, context: LintContext): boolean {
  const { module } = context;
  if (!module.text.slice(definition.start, definition.end).includes('CheckpointPolicy')) return false;
  return [...statementsOf(definition.body)].some(
    (one) =>
      one.kind === 'return' &&
      one.value !== undefined &&
      enclosing(module, one.start).function === definition &&
      partsOfChoice(one.value).some((part) => policyMember(part, context) !== undefined),
  );
}

/** The values `a if test else b` may have. */
const partsOfChoice = (value: Expression): readonly Expression[] =>
  value.kind === 'conditional' ? [...partsOfChoice(value.whenTrue), ...partsOfChoice(value.whenFalse)] : [value];

/** Comparisons of the operation a policy is asked about with something else. */
export function operationTests(policy: Policy, { names }: LintContext): OperationTest[] {
  const isOperation = (expression: Expression): boolean => {
    if (expression.kind !== 'name' || expression.name !== policy.operation.name) return false;
    const bindings = names.bindingsOf(expression);
    const [binding] = bindings;
    return bindings.length === 1 && binding?.to === 'parameter' && binding.parameter === policy.operation;
  };
  return expressionsIn(policy.definition).flatMap((expression) => {
    if (expression.kind !== 'comparison' || expression.operands.length !== 2) return [];
    const [left, right] = expression.operands;
    const [operator] = expression.operators;
    if (left === undefined || right === undefined || operator === undefined) return [];
    if (isOperation(left)) return [{ test: expression, operator, against: right }];
    return isOperation(right) && !operator.includes('in') ? [{ test: expression, operator, against: left }] : [];
  });
}

export interface OperationTest {
  readonly test: Expression;
  readonly operator: string;
  readonly against: Expression;
}
