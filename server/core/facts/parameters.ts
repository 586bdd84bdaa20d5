import type { ClassDefinition, Expression, FunctionDefinition, Parameter } from '../python/ast.ts';
import type { CallHere } from './source.ts';

/**
 * What a parameter is given, where this file calls its function exactly once: `main(parser.parse_args())`, `Trainer(args)`.
 * Undefined where there are more calls, or none.
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
  const [only] = made;
  if (made.length !== 1 || only === undefined) return undefined;
  const given = only.call.arguments;
  const named = given.find((argument) => argument.kind === 'keyword' && argument.name.name === parameter.name);
  if (named !== undefined) return named.value;
  if (given.some((argument) => argument.kind === 'splat')) return undefined;
  const position = owner.parameters.indexOf(parameter) - (isConstructor ? 1 : 0);
  const positional = given.filter((argument) => argument.kind === 'positional');
  return (parameter.keywordOnly ? undefined : positional[position]?.value) ?? parameter.default;
}
