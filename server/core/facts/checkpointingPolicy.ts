import type { Argument, Expression, FunctionDefinition, Lambda } from '../python/ast.ts';
import { expressionsUnder, statementsOf } from '../python/walk.ts';
import { noopContextFn } from '../torch/checkpointApi.ts';
import { anyIn } from './checkpointingLoop.ts';
import { type CheckpointingReading, checkpointed, reading, supposed } from './checkpointingReading.ts';
import { derivedAt, type Source } from './source.ts';

/** Whether a `context_fn` makes a checkpoint selective: torch's own way of giving none does not. */
export const isSelective = (source: Source, context: Expression | undefined): context is Expression =>
  context !== undefined &&
  source.names.qualifiedName(context) !== noopContextFn &&
  !(context.kind === 'constant' && context.value === null);

/**
 * What a `context_fn` saves: matrix products and attention, or every second of those products. The list of operations or the
 * function that decides is followed as far as the file goes.
 */
export function selectiveBy(source: Source, context: Expression, mechanism: string): CheckpointingReading {
  const line = source.lineOf(context);
  const policy = policyGiven(source, context);
  const value = checkpointed(mechanism, { mode: 'policy', variant: 'non-reentrant' });
  const unknown = `what the policy of the checkpoint on line ${line} saves could not be read; it is counted as saving matrix products and attention`;
  if (policy === undefined) return supposed(value, unknown);
  const saved = savedBy(source, policy);
  if (saved === undefined) return supposed(value, unknown);
  if (saved.secondProducts)
    return reading(checkpointed(mechanism, { ...value, mode: 'policy-second' }), {
      kind: 'literal',
      place: source.placeOf(context),
    });
  if (!saved.products)
    return supposed(
      value,
      `the policy of the checkpoint on line ${line} saves no matrix products; it is counted as saving matrix products and attention`,
    );
  return saved.attention
    ? reading(value, { kind: 'literal', place: source.placeOf(context) })
    : reading(value, derivedAt(source, context, 'the policy saves matrix products'));
}

const contexts = 'torch.utils.checkpoint.create_selective_checkpoint_contexts';

/** The list or function that `create_selective_checkpoint_contexts` gets, through `partial`, a lambda or a function. */
function policyGiven(source: Source, context: Expression): Expression | undefined {
  const { targets } = source.names.resolve(context);
  const [target] = targets;
  if (targets.length !== 1 || target === undefined) return undefined;
  if (target.qualified === contexts) return firstOf(target.preset);
  const { definition } = target;
  if (definition === undefined || definition.kind === 'class') return undefined;
  const inside = definition.kind === 'lambda' ? [definition.body] : [...expressionsUnder(definition.body)];
  for (const each of inside)
    if (each.kind === 'call' && source.names.qualifiedName(each.callee) === contexts) return firstOf(each.arguments);
  return undefined;
}

const firstOf = (given: readonly Argument[]): Expression | undefined =>
  given.find((argument) => argument.kind === 'positional')?.value ??
  given.find((argument) => argument.kind === 'keyword' && /^policy/.test(argument.name.name))?.value;

interface Saved {
  readonly products: boolean;
  readonly attention: boolean;
  readonly secondProducts: boolean;
}

function savedBy(source: Source, policy: Expression): Saved | undefined {
  const roots = source.rootsOf(policy);
  const [root] = roots;
  if (roots.length !== 1 || root === undefined) return undefined;
  if (root.kind === 'list' || root.kind === 'set' || root.kind === 'tuple') return ofOperations(source, [root]);
  const function_ = policyFunction(source, root);
  if (function_ === undefined || namesWhatRunsAgain(function_)) return undefined;
  const inside = function_.kind === 'lambda' ? [function_.body] : [...expressionsUnder(function_.body)];
  // A count of products of which every second one is passed over.
  const counts = inside.some(
    (each) => each.kind === 'binary' && each.operator === '%' && each.right.kind === 'number' && each.right.value === 2,
  );
  const named = inside.flatMap((each) => (each.kind === 'name' ? source.rootsOf(each) : []));
  const saved = ofOperations(source, [...inside, ...named]);
  return saved.products || saved.attention ? { ...saved, secondProducts: counts && saved.products } : undefined;
}

/** The other way round: what the function names runs again, and the rest is saved. */
function namesWhatRunsAgain(policy: FunctionDefinition | Lambda): boolean {
  const recomputes = (expression: Expression): boolean =>
    anyIn(expression, (each) => each.kind === 'attribute' && each.attribute.name.endsWith('_RECOMPUTE'));
  if (policy.kind === 'lambda') return policy.body.kind === 'conditional' && recomputes(policy.body.whenTrue);
  return [...statementsOf(policy.body)].some(
    (statement) =>
      (statement.kind === 'return' &&
        statement.value?.kind === 'conditional' &&
        recomputes(statement.value.whenTrue) &&
        !recomputes(statement.value.test) &&
        !anyIn(statement.value.whenTrue, (each) => each.kind === 'conditional')) ||
      (statement.kind === 'if' &&
        statement.branches[0]?.body.some((each) => each.kind === 'return' && each.value && recomputes(each.value))),
  );
}

/** A policy may itself be made by a function: `_get_custom_policy(meta)`. */
function policyFunction(source: Source, root: Expression): FunctionDefinition | Lambda | undefined {
  const called = root.kind === 'call' ? root.callee : root;
  const { targets } = source.names.resolve(called);
  const definition = targets.length === 1 ? targets[0]?.definition : undefined;
  return definition?.kind === 'class' ? undefined : definition;
}

function ofOperations(source: Source, all: readonly Expression[]): Saved {
  const has = (name: RegExp): boolean =>
    all.some((each) =>
      anyIn(each, (one) => {
        if (one.kind !== 'attribute') return false;
        const qualified = source.names.qualifiedName(one);
        return qualified !== undefined && name.test(qualified);
      }),
    );
  return {
    products: has(/^torch\.ops\.aten\.(mm|addmm|bmm|linear|matmul)(\.|$)/),
    attention: has(/scaled_dot_product|flash_attn|flex_attention/),
    secondProducts: false,
  };
}
