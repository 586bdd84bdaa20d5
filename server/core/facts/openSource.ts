import type { Expression, Module } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps } from '../text/span.ts';
import { conditionHolds } from './conditions.ts';
import { fieldsOf, givenFields } from './fields.ts';
import { readValue } from './readValue.ts';
import { groupedByObject, identityOf, membersBySelf, rootsOf, type Way } from './roots.ts';
import type { Change, Condition, Fields, ReadValue, Source } from './source.ts';
import { surroundingsAt, walkSource } from './sourceWalk.ts';

/** Walks a module once and gives what the readers of facts look things up in. */
export function openSource(module: Module, names: Names, path: string): Source {
  const walked = walkSource(module, names);
  const { changes } = walked;
  let lines: LineIndex | undefined;
  const positionAt = (offset: number) => {
    lines ??= new LineIndex(module.text);
    return lines.positionAt(offset);
  };
  const known = new Map<Expression, ReadValue | undefined>();
  const open = new Set<Expression>();
  let depth = 0;
  let namesOfValues: ReadonlyMap<Expression | undefined, string> | undefined;
  let changesByObject: ReadonlyMap<unknown, readonly Change[]> | undefined;
  const selfMembers = membersBySelf(changes, names);
  const way: Way = { names, members: selfMembers, calls: walked.calls };
  const source: Source = {
    module,
    names,
    calls: walked.calls,
    classes: walked.classes,
    changes,
    unpackings: walked.unpackings,
    assignments: walked.assignments,
    changesOf(root) {
      changesByObject ??= groupedByObject(changes, source);
      return changesByObject.get(identityOf(root, names)) ?? [];
    },
    placeOf(span) {
      const { line, column } = positionAt(span.start);
      return { path, span: { start: span.start, end: span.end }, line: line + 1, column: column + 1 };
    },
    lineOf: (span) => positionAt(span.start).line + 1,
    surroundingsAt: (offset) => surroundingsAt(walked.statements, offset),
    rootsOf: (expression) => rootsOf(expression, way, new Set()),
    read(expression) {
      if (known.has(expression) || depth > deepestValue) return known.get(expression);
      // Names that stand for each other in a circle come back here while they are still being read.
      known.set(expression, undefined);
      depth++;
      const read = readValue(source, expression);
      depth--;
      const sound = read !== undefined && !module.unreliable.some((span) => overlaps(span, read.at)) ? read : undefined;
      known.set(expression, sound);
      return sound;
    },
    fieldsOf(expression, use): Fields | undefined {
      if (open.has(expression) || open.size > deepestObject) return undefined;
      open.add(expression);
      const fields = fieldsOf(source, expression, use);
      open.delete(expression);
      return fields;
    },
    givenTo: (call) => givenFields(source, call),
    assignedName: (call) => {
      namesOfValues ??= new Map(
        [...walked.assignments].flatMap(([name, all]) => all.map(({ value }) => [value, name] as const)),
      );
      return namesOfValues.get(call);
    },
    holds: (condition: Condition) => conditionHolds(source, condition),
  };
  return source;
}

/** Objects made from objects end here; only a circle is longer. */
const deepestObject = 40;
/** Arithmetic nests less than this where people write it; generated files may nest more than the stack holds. */
const deepestValue = 100;
