import type { Expression, FunctionDefinition } from '../python/ast.ts';
import { ownStatements } from '../python/walk.ts';
import type { Source } from './source.ts';

export interface Unpacked {
  readonly source: Source;
  readonly value: Expression;
}

/** `args, text = parse()`: what the function gives back for the name that is bound at `from`, where it gives back a tuple. */
export function unpackedElement(source: Source, name: string, from: number): Unpacked | undefined {
  const found = source.unpackings.find(
    ({ targets, end }) => end === from && targets.some((target) => target.kind === 'name' && target.name === name),
  );
  if (found?.value.kind !== 'call') return undefined;
  const index = found.targets.findIndex((target) => target.kind === 'name' && target.name === name);
  const { callee } = found.value;
  const own = source.names.resolve(callee).targets[0]?.definition;
  if (own?.kind === 'function') return elementOf(source, own, index, found.targets.length);
  const outside = source.outside(callee);
  return outside !== undefined && 'definition' in outside && outside.definition.kind === 'function'
    ? elementOf(outside.source, outside.definition, index, found.targets.length)
    : undefined;
}

function elementOf(source: Source, definition: FunctionDefinition, index: number, count: number): Unpacked | undefined {
  const returns = [...ownStatements(definition.body)].flatMap((statement) =>
    statement.kind === 'return' ? [statement.value] : [],
  );
  const [only] = returns;
  const value = only?.kind === 'tuple' && only.elements.length === count ? only.elements[index] : undefined;
  return returns.length === 1 && value !== undefined ? { source, value } : undefined;
}
