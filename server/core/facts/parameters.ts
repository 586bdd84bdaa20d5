import type { Call, ClassDefinition, Expression, FunctionDefinition, Parameter } from '../python/ast.ts';
import type { CallHere } from './source.ts';

/**
 * What a parameter is given, where this file calls its function once: `main(parser.parse_args())`, `Trainer(args)`.
 * Undefined where there are more calls that give something else, or none.
 */
export function argumentOf(
  parameter: Parameter,
  owner: FunctionDefinition,
  owningClass: ClassDefinition | undefined,
  calls: readonly CallHere[],
): Expression | undefined {
  if (parameter.form !== 'plain') return undefined;
  const isConstructor = owningClass !== undefined && owner.name.name === '__init__';
  if (owningClass !== undefined && !isConstructor) return undefined;
  const made = calls.filter(({ definition }) => definition === (isConstructor ? owningClass : owner));
  const given = made.map(({ call }) => givenBy(call, parameter, owner, isConstructor));
  const [first] = given;
  // A second try after an error is called with the same names.
  return first !== undefined && given.every((each) => each !== undefined && isSameName(each, first))
    ? first
    : undefined;
}

/** What one call of a function writes for a parameter; undefined where it leaves it to its default, or where that is open. */
export function argumentGiven(call: Call, parameter: Parameter, owner: FunctionDefinition): Expression | undefined {
  const given = givenBy(call, parameter, owner, false);
  return given === parameter.default ? undefined : given;
}

function givenBy(
  { arguments: given }: Call,
  parameter: Parameter,
  owner: FunctionDefinition,
  isConstructor: boolean,
): Expression | undefined {
  const named = given.find((argument) => argument.kind === 'keyword' && argument.name.name === parameter.name);
  if (named !== undefined) return named.value;
  if (given.some((argument) => argument.kind === 'splat')) return undefined;
  const position = owner.parameters.indexOf(parameter) - (isConstructor ? 1 : 0);
  const positional = given.filter((argument) => argument.kind === 'positional');
  return (parameter.keywordOnly ? undefined : positional[position]?.value) ?? parameter.default;
}

/** The same object, or the same names and attributes from it on. */
function isSameName(one: Expression, other: Expression): boolean {
  if (one === other) return true;
  if (one.kind === 'attribute' && other.kind === 'attribute')
    return one.attribute.name === other.attribute.name && isSameName(one.object, other.object);
  return one.kind === 'name' && other.kind === 'name' && one.name === other.name;
}
