import type { LintContext } from '../lint/rule.ts';
import type { Call, Expression, For, FunctionDefinition, Lambda, Name, Statement } from '../python/ast.ts';
import { partsOf } from '../python/walk.ts';
import { contains } from '../text/span.ts';
import { capturedNames } from './capturedNames.ts';
import { descendants, movedOn, namesBoundBy, statementsHere } from './loopVariables.ts';

/** `layer.forward = lambda x: checkpoint(original, x)` in a loop over layers, and what it reads too late. */
export interface ReplacedForward {
  readonly call: Call;
  readonly closure: FunctionDefinition | Lambda;
  readonly names: readonly Name[];
}

/**
 * Functions around a checkpoint call that a loop stores as the `forward` of its own element: they run when the loop is over,
 * and read its variables then. Not where the loop itself already runs the element.
 */
export function* replacedForwards(context: LintContext): Generator<ReplacedForward> {
  const { names } = context;
  for (const { call } of context.sitesWhere(isInLoop, (one) => loopAround(one.call, context) !== undefined)) {
    const loop = loopAround(call, context);
    if (loop === undefined) continue;
    for (const { target, value } of forwardsStored(loop)) {
      const closure = storedClosure(value, call, context);
      const elements = namesBoundBy(loop.target);
      if (closure === undefined || target.object.kind !== 'name' || !elements.includes(target.object.name)) continue;
      if (runsElement(loop, target.object.name)) continue;
      const moved = movedOn(loop);
      const late = capturedNames(closure, names).flatMap(({ use }) => (moved.has(use.name) ? [use] : []));
      if (late.length > 0) yield { call, closure, names: late };
    }
  }
}

const isInLoop = Symbol('call in a loop that stores a forward');

function loopAround(call: Call, { around }: LintContext): For | undefined {
  const loop = around(call).statements.findLast(
    (one): one is For => one.kind === 'for' && contains(spanOf(one.body), call),
  );
  return loop !== undefined && forwardsStored(loop).length > 0 ? loop : undefined;
}

type Attribute = Expression & { readonly kind: 'attribute' };

/** `element.forward = value` and `element.forward = types.MethodType(value, element)`. */
function forwardsStored(loop: For): { readonly target: Attribute; readonly value: Expression }[] {
  return [...statementsHere(loop.body)].flatMap((one) => {
    if (one.kind !== 'assign' || one.value === undefined) return [];
    const { value } = one;
    const bound = value.kind === 'call' && isMethodType(value) ? value.arguments[0]?.value : value;
    return one.targets.flatMap((target) =>
      target.kind === 'attribute' && target.attribute.name === 'forward' && bound !== undefined
        ? [{ target, value: bound }]
        : [],
    );
  });
}

const isMethodType = ({ callee }: Call): boolean =>
  (callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : '') === 'MethodType';

/** The function that is stored, where it is the one around the call. */
function storedClosure(value: Expression, call: Call, { names }: LintContext): FunctionDefinition | Lambda | undefined {
  if (value.kind === 'lambda') return contains(value, call) ? value : undefined;
  if (value.kind !== 'name') return undefined;
  const bindings = names.bindingsOf(value);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'definition' || binding.definition.kind !== 'function') return undefined;
  return contains(binding.definition, call) ? binding.definition : undefined;
}

/** Whether the loop calls its element, or a method of it, while the variables still are right. */
const runsElement = (loop: For, element: string): boolean =>
  [...statementsHere(loop.body)].some((one) =>
    ownExpressions(one).some(
      (part) =>
        part.kind === 'call' &&
        (part.callee.kind === 'name'
          ? part.callee.name === element
          : part.callee.kind === 'attribute' &&
            part.callee.object.kind === 'name' &&
            part.callee.object.name === element &&
            part.callee.attribute.name === 'forward'),
    ),
  );

/** What a statement evaluates itself, not what a lambda in it may do later. */
function ownExpressions(statement: Statement): Expression[] {
  const roots = partsOf(statement).expressions;
  const lambdas = roots.flatMap(descendants).filter((one) => one.kind === 'lambda');
  return roots.flatMap(descendants).filter((one) => !lambdas.some((lambda) => lambda !== one && contains(lambda, one)));
}

const spanOf = (block: readonly Statement[]): { readonly start: number; readonly end: number } => ({
  start: block[0]?.start ?? 0,
  end: block.at(-1)?.end ?? 0,
});
