import { givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, Name, Parameter, Statement } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { childrenOf } from '../python/walk.ts';
import type { RegionBody } from '../sites/region.ts';
import type { Span } from '../text/span.ts';
import type { SourceFile } from '../workspace/workspace.ts';
import { callsRun, statementsRun } from './regionCode.ts';

export interface InputChange {
  readonly span: Span;
  /** As written, for messages: `x += …`, `x.add_()`. */
  readonly what: string;
}

/** Operations of a function that certainly change a tensor it was given, before the name stands for anything else. */
export const inputChanges = (body: RegionBody): readonly InputChange[] =>
  body.file.names.lasting(body.callable, inputChangesKind, () => findInputChanges(body));

const inputChangesKind = Symbol('input changes');

function findInputChanges(body: RegionBody): readonly InputChange[] {
  const fromStatements = statementsRun(body).flatMap((statement) => assignedInPlace(statement, body));
  const fromCalls = callsRun(body).flatMap((call) => calledInPlace(call, body));
  return [...fromStatements, ...fromCalls].sort((a, b) => a.span.start - b.span.start);
}

function assignedInPlace(statement: Statement, body: RegionBody): InputChange[] {
  if (statement.kind === 'augmentedAssign') {
    const { target, value, operator } = statement;
    if (target.kind === 'name') {
      const parameter = inputNamed(target, body);
      const isTensor =
        parameter !== undefined && (isAnnotated(parameter, body.file) || isFedToCall(value, target.name));
      return isTensor ? [{ span: target, what: `${target.name} ${operator}` }] : [];
    }
    return changedItem(target, body);
  }
  return statement.kind === 'assign' ? statement.targets.flatMap((target) => changedItem(target, body)) : [];
}

/** `x[:, 0] = …`: only a tensor or an array is indexed in several dimensions. */
function changedItem(target: Expression, body: RegionBody): InputChange[] {
  if (target.kind !== 'subscript' || target.object.kind !== 'name') return [];
  const parameter = inputNamed(target.object, body);
  if (parameter === undefined) return [];
  const [index] = target.indices;
  const isMany = target.indices.length > 1 || (index?.kind === 'tuple' && index.elements.length > 1);
  if (!isMany && !isAnnotated(parameter, body.file)) return [];
  return [{ span: target, what: `${body.file.module.text.slice(target.start, target.end)} =` }];
}

function calledInPlace(call: Call, body: RegionBody): InputChange[] {
  const { callee } = call;
  if (callee.kind === 'attribute' && callee.object.kind === 'name' && inPlaceMethods.has(callee.attribute.name)) {
    const changed = inputNamed(callee.object, body) !== undefined;
    return changed ? [{ span: callee, what: `${callee.object.name}.${callee.attribute.name}()` }] : [];
  }
  const [first] = call.arguments;
  const input = first?.kind === 'positional' ? first.value : undefined;
  if (input?.kind !== 'name' || inputNamed(input, body) === undefined) return [];
  const { names, module } = body.file;
  const isInPlace = names.qualifiedName(callee)?.startsWith('torch.nn.functional.')
    ? isTrue(keywordNamed(givenArguments([], call.arguments), 'inplace')?.value, body.file)
    : isInPlaceModule(callee, body.file);
  return isInPlace
    ? [{ span: callee, what: `in-place ${module.text.slice(callee.start, callee.end)}(${input.name})` }]
    : [];
}

/** `self.relu`, where every value the class gives it is an activation with `inplace=True`. */
function isInPlaceModule(callee: Expression, file: SourceFile): boolean {
  if (callee.kind !== 'attribute') return false;
  const owner = file.names.classOfSelf(callee.object);
  const values = owner === undefined ? [] : file.names.memberValues(owner, callee.attribute.name);
  return (
    values.length > 0 &&
    values.every((value) => {
      if (value.kind !== 'call' || !file.names.qualifiedName(value.callee)?.startsWith('torch.nn.')) return false;
      const given = givenArguments([], value.arguments);
      const [only] = given.positional;
      const positional =
        given.positional.length === 1 && only !== undefined && onlyInPlace(value, file) ? only.value : undefined;
      return isTrue(keywordNamed(given, 'inplace')?.value ?? positional, file);
    })
  );
}

/** Activations whose only parameter is `inplace`. */
const onlyInPlace = (construction: Call, file: SourceFile): boolean =>
  /^torch\.nn\.(ReLU6?|SiLU|SELU|Mish|Hardswish|Hardsigmoid)$/.test(
    file.names.qualifiedName(construction.callee) ?? '',
  );

const isTrue = (value: Expression | undefined, file: SourceFile): boolean =>
  value !== undefined && constantOf(value, file.names) === true;

/** The parameter a name still stands for at this place: it has not been bound to anything else on any way here. */
function inputNamed(name: Name, { file, callable }: RegionBody): Parameter | undefined {
  if (!callable.parameters.some((parameter) => parameter.name === name.name)) return undefined;
  const bindings = file.names.bindingsOf(name);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'parameter' || binding.scope.node !== callable) return undefined;
  if (file.names.classOfSelf(name) !== undefined || binding.parameter.form !== 'plain') return undefined;
  return binding.parameter;
}

function isAnnotated({ annotation }: Parameter, file: SourceFile): boolean {
  return (
    annotation !== undefined &&
    /^(torch\.|th\.)?(Float)?Tensor$/.test(file.module.text.slice(annotation.start, annotation.end))
  );
}

/** `x += self.attention(x)`: what is handed to a call and gets its result added is a tensor. */
function isFedToCall(value: Expression, name: string): boolean {
  const stack = [value];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    if (expression.kind === 'call' && expression.callee.kind === 'attribute' && mentions(expression, name)) return true;
    stack.push(...childrenOf(expression));
  }
  return false;
}

function mentions(root: Expression, name: string): boolean {
  const stack = [root];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    if (expression.kind === 'name' && expression.name === name) return true;
    stack.push(...childrenOf(expression));
  }
  return false;
}

const inPlaceMethods: ReadonlySet<string> = new Set([
  ...['add_', 'sub_', 'mul_', 'div_', 'pow_', 'addcmul_', 'addcdiv_', 'lerp_', 'clamp_', 'clamp_min_', 'clamp_max_'],
  ...['relu_', 'sigmoid_', 'tanh_', 'exp_', 'sqrt_', 'neg_', 'abs_', 'fill_', 'zero_', 'copy_', 'masked_fill_'],
  ...[
    'index_add_',
    'index_copy_',
    'index_fill_',
    'scatter_',
    'scatter_add_',
    'renorm_',
    'bernoulli_',
    'normal_',
    'uniform_',
  ],
]);
