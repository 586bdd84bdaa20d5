import { literalEntries } from '../python/arguments.ts';
import type { Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import type { Names } from '../python/names.ts';
import { type ConfigEntry, type ConfigNode, deepestConfig } from './tree.ts';

/** A dictionary, list or constant of Python code as configuration; what only a run could tell is unknown. */
export function configOfExpression(expression: Expression, names: Names, depth = 0): ConfigNode {
  const { start, end } = expression;
  if (depth > deepestConfig) return { kind: 'unknown', start, end };
  const inner = (part: Expression): ConfigNode => configOfExpression(part, names, depth + 1);
  if (expression.kind === 'list' || expression.kind === 'tuple') {
    return { kind: 'sequence', items: expression.elements.map(inner), start, end };
  }
  if (expression.kind === 'dictionary') {
    const entries: ConfigEntry[] = [];
    let complete = true;
    for (const { key, value } of expression.entries) {
      const name = key === undefined ? undefined : constantOf(key, names);
      if (key === undefined || typeof name !== 'string') complete = false;
      else {
        const keyAt = { start: key.start, end: key.end };
        entries.push({ key: name, keyAt, value: inner(value), shared: false, start: key.start, end: value.end });
      }
    }
    return { kind: 'mapping', entries, complete, layout: 'braces', start, end };
  }
  if (expression.kind === 'call') {
    const given = literalEntries(expression);
    if (given === undefined) return { kind: 'unknown', start, end };
    const entries = expression.arguments.flatMap((argument): ConfigEntry[] => {
      if (argument.kind !== 'keyword') return [];
      const keyAt = { start: argument.name.start, end: argument.name.end };
      const value = inner(argument.value);
      return [{ key: argument.name.name, keyAt, value, shared: true, start: argument.start, end: argument.end }];
    });
    return { kind: 'mapping', entries, complete: true, layout: 'braces', start, end };
  }
  const value = constantOf(expression, names);
  if (value === undefined) return { kind: 'unknown', start, end };
  return { kind: 'scalar', value, written: expression.kind === 'string' ? 'quoted' : 'plain', start, end };
}
