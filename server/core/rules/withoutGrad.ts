import type { LintContext } from '../lint/rule.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Module, Name, Statement } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import { statementsOf } from '../python/walk.ts';
import type { Span } from '../text/span.ts';

/** Functions of torch that make a tensor nothing was computed from. */
const makers: ReadonlySet<string> = new Set(
  ['rand', 'randn', 'randint', 'zeros', 'ones', 'full', 'empty', 'arange', 'tensor', 'from_numpy', 'linspace'].map(
    (name) => `torch.${name}`,
  ),
);

/** Methods whose result requires grad only if the tensor they are called on does. */
const keeping: ReadonlySet<string> = new Set(
  'to cuda cpu float half double bfloat16 long int type contiguous clone view reshape flatten unsqueeze squeeze permute transpose t expand repeat'.split(
    ' ',
  ),
);

const lightningModules: ReadonlySet<string> = new Set([
  'lightning.LightningModule',
  'lightning.pytorch.LightningModule',
  'pytorch_lightning.LightningModule',
]);

const longestChain = 12;

/**
 * Whether a value certainly requires no grad: data from a `DataLoader` or of a Lightning step, a tensor made here without
 * `requires_grad`, a constant. Everything else, parameters of functions included, may.
 */
export const isWithoutGrad = (value: Expression, context: LintContext): boolean =>
  isWithout(value, context, (name) => isAskedToRequireGrad(name, context), 0);

/** The same by the code around the value alone: other code of the file may still ask it to require grad. */
export const looksWithoutGrad = (value: Expression, context: LintContext): boolean =>
  isWithout(value, context, () => false, 0);

function isWithout(value: Expression, context: LintContext, isAsked: (name: Name) => boolean, depth: number): boolean {
  const { names } = context;
  const inner = (part: Expression): boolean => depth < longestChain && isWithout(part, context, isAsked, depth + 1);
  switch (value.kind) {
    case 'constant':
    case 'number':
    case 'string':
      return true;
    case 'subscript':
      return inner(value.object);
    case 'tuple':
      return value.elements.every(inner);
    case 'call': {
      if (value.callee.kind === 'attribute' && value.callee.attribute.name === 'detach') return true;
      if (makers.has(names.qualifiedName(value.callee) ?? '')) {
        return value.arguments.every(
          (one) => one.kind !== 'splat' && !(one.kind === 'keyword' && one.name.name === 'requires_grad'),
        );
      }
      return (
        value.callee.kind === 'attribute' && keeping.has(value.callee.attribute.name) && inner(value.callee.object)
      );
    }
    case 'name':
      return !isAsked(value) && isNameWithoutGrad(value, context, inner);
    default:
      return false;
  }
}

function isNameWithoutGrad(name: Name, context: LintContext, inner: (part: Expression) => boolean): boolean {
  const bindings = context.names.bindingsOf(name);
  const [binding] = bindings;
  if (binding === undefined || bindings.length !== 1) return false;
  if (binding.to === 'value') return inner(binding.value);
  if (binding.to === 'parameter') {
    const { function: method, class: owner } = context.around(name);
    return isStepOf(method, owner, context) && method?.parameters[1]?.name === name.name;
  }
  return binding.to === 'unknown' && isData(name, context, inner);
}

/** `training_step(self, batch, …)` of a LightningModule. */
function isStepOf(
  method: FunctionDefinition | undefined,
  owner: ClassDefinition | undefined,
  { names }: LintContext,
): boolean {
  const isLightning = owner?.bases.some((base) => lightningModules.has(names.qualifiedName(base) ?? '')) ?? false;
  return isLightning && method?.name.name === 'training_step';
}

/** A target of `for … in loader`, or a part of unpacked data. */
function isData(name: Name, context: LintContext, inner: (part: Expression) => boolean): boolean {
  const { loops, function: method } = context.around(name);
  const loop = loops.findLast((one) => one.kind === 'for' && bindsName(one.target, name.name));
  if (loop?.kind === 'for') return isLoader(loop.iterable, context);
  const block: readonly Statement[] = method?.body ?? context.module.body;
  const unpacking = [...statementsOf(block)].filter(
    (one) =>
      one.kind === 'assign' && one.targets.some((target) => target.kind === 'tuple' && bindsName(target, name.name)),
  );
  const [only] = unpacking;
  return unpacking.length === 1 && only?.kind === 'assign' && only.value !== undefined && inner(only.value);
}

function isLoader(iterable: Expression, { names }: LintContext): boolean {
  let expression = iterable;
  for (let step = 0; step < longestChain; step++) {
    if (expression.kind === 'name') {
      const bindings = names.bindingsOf(expression);
      const [binding] = bindings;
      if (bindings.length !== 1 || binding?.to !== 'value') return false;
      expression = binding.value;
    } else if (expression.kind === 'call') {
      if (names.qualifiedName(expression.callee) === 'torch.utils.data.DataLoader') return true;
      const [first] = expression.arguments;
      const passesOn = ['enumerate', 'tqdm.tqdm', 'tqdm.auto.tqdm'];
      const callee =
        names.qualifiedName(expression.callee) ?? (expression.callee.kind === 'name' ? expression.callee.name : '');
      if (!passesOn.includes(callee) || first?.kind !== 'positional') return false;
      expression = first.value;
    } else return false;
  }
  return false;
}

/** `x.requires_grad_()` or `x.requires_grad = True` anywhere in the file: then nothing is certain. */
function isAskedToRequireGrad({ name }: Name, { calls, module }: LintContext): boolean {
  return (
    namesAskedIn(module).has(name) ||
    calls.named('retain_grad').some(({ callee }) => callee.kind === 'attribute' && isNamed(callee.object, name))
  );
}

const namesAskedIn = oncePer(
  ({ text }: Module): ReadonlySet<string> =>
    new Set(Array.from(text.matchAll(/\.requires_grad/g), ({ index }) => nameBefore(text, index))),
);

function nameBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && /[\p{L}\p{N}_]/u.test(text.charAt(start - 1))) start--;
  return text.slice(start, offset);
}

const isNamed = (expression: Expression, name: string): boolean =>
  expression.kind === 'name' && expression.name === name;

const bindsName = (target: Expression, name: string): boolean =>
  target.kind === 'tuple' ? target.elements.some((one) => bindsName(one, name)) : isNamed(target, name);

/** Whether a place runs under `torch.no_grad` or `inference_mode`, as a block or as a decorator. */
export function runsWithoutGrad(place: Span, { around, names }: LintContext): boolean {
  return around(place).statements.some(
    (one) =>
      (one.kind === 'with' && one.items.some(({ value }) => isNoGrad(value, names))) ||
      (one.kind === 'function' && one.decorators.some((decorator) => isNoGrad(decorator, names))),
  );
}

export function isNoGrad(expression: Expression, names: Names): boolean {
  const qualified = names.qualifiedName(expression.kind === 'call' ? expression.callee : expression);
  return qualified === 'torch.no_grad' || qualified === 'torch.inference_mode';
}
