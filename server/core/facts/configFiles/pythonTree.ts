import { type ConfigEntry, type ConfigMapping, type ConfigNode, deepestConfig } from '../../config/tree.ts';
import type { Assign, Call, Expression } from '../../python/ast.ts';
import type { Source } from '../source.ts';
import type { ReadScalar } from './interpolation.ts';

/** The key under which a call keeps the name of what it calls. */
export const callKey = '_call_';

/**
 * An expression as configuration: dictionaries, calls that gather keywords, lists and constants, with names followed inside
 * the file. What only a run could tell is unknown.
 */
export function treeOfExpression(source: Source, expression: Expression, depth = 0): ConfigNode {
  const at = { start: expression.start, end: expression.end };
  if (depth > deepestConfig) return { kind: 'unknown', ...at };
  const inner = (part: Expression): ConfigNode => treeOfExpression(source, part, depth + 1);
  switch (expression.kind) {
    case 'dictionary': {
      const entries = expression.entries.flatMap(({ key, value }): ConfigEntry[] => {
        const name = key && source.read(key)?.value;
        return key === undefined || typeof name !== 'string' ? [] : [entryOf(name, key, inner(value), value)];
      });
      return {
        kind: 'mapping',
        entries,
        complete: entries.length === expression.entries.length,
        layout: 'braces',
        ...at,
      };
    }
    case 'list':
    case 'tuple':
      return { kind: 'sequence', items: expression.elements.map(inner), ...at };
    case 'call':
      return scalarOf(source, expression) ?? treeOfCall(source, expression, inner);
    case 'name': {
      const scalar = scalarOf(source, expression);
      if (scalar !== undefined) return scalar;
      const roots = source.rootsOf(expression);
      const [root] = roots;
      if (roots.length === 1 && root !== undefined && root.kind !== 'name') return inner(root);
      return nameOf(source, expression);
    }
    default:
      return scalarOf(source, expression) ?? nameOf(source, expression);
  }
}

/** The assignments at the top of a module, by name; of several to one name the last one counts. */
export function treeOfAssignments(source: Source): ConfigMapping {
  const { body, text } = source.module;
  const entries = body
    .filter((statement): statement is Assign => statement.kind === 'assign')
    .flatMap(({ targets, value }): ConfigEntry[] => {
      const [target] = targets;
      if (targets.length !== 1 || target?.kind !== 'name' || value === undefined) return [];
      return [entryOf(target.name, target, treeOfExpression(source, value), value)];
    });
  return { kind: 'mapping', entries, complete: true, layout: 'block', start: 0, end: text.length };
}

function treeOfCall(source: Source, call: Call, inner: (part: Expression) => ConfigNode): ConfigMapping {
  const { callee } = call;
  const name = source.names.qualifiedName(callee) ?? source.module.text.slice(callee.start, callee.end);
  const written: ConfigNode = { kind: 'scalar', value: name, written: 'plain', start: callee.start, end: callee.end };
  const entries = call.arguments.flatMap((argument): ConfigEntry[] =>
    argument.kind === 'keyword'
      ? [entryOf(argument.name.name, argument.name, inner(argument.value), argument.value)]
      : [],
  );
  return {
    kind: 'mapping',
    entries: [entryOf(callKey, callee, written, callee), ...entries],
    complete: call.arguments.every(({ kind }) => kind !== 'splat'),
    layout: 'braces',
    start: call.start,
    end: call.end,
  };
}

function entryOf(key: string, keyAt: Expression, value: ConfigNode, whole: Expression): ConfigEntry {
  const span = { start: keyAt.start, end: keyAt.end };
  return { key, keyAt: span, value, shared: false, start: span.start, end: Math.max(span.end, whole.end) };
}

function scalarOf(source: Source, expression: Expression): ReadScalar | undefined {
  const read = source.read(expression);
  if (read === undefined) return undefined;
  const { value, at, from, supposing } = read;
  if (!['string', 'number', 'boolean'].includes(typeof value) && value !== null) return undefined;
  const written = typeof value === 'string' ? 'quoted' : 'plain';
  return {
    kind: 'scalar',
    value: value as ReadScalar['value'],
    written,
    from,
    supposing,
    start: at.start,
    end: at.end,
  };
}

/** `type=AdamW` and `torch.bfloat16` stand for their names. */
function nameOf(source: Source, expression: Expression): ConfigNode {
  const at = { start: expression.start, end: expression.end };
  const isName = expression.kind === 'name' || expression.kind === 'attribute';
  const name = isName ? source.names.qualifiedName(expression) : undefined;
  return name === undefined ? { kind: 'unknown', ...at } : { kind: 'scalar', value: name, written: 'plain', ...at };
}
