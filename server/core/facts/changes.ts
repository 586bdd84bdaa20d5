import { literalEntries } from '../python/arguments.ts';
import type { Expression, Statement } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { Change, Surroundings } from './source.ts';

/** What a statement changes of an object: `object.key = value`, `object["key"] = value`, `update(…)`, `setattr(…)`. */
export function changesIn(statement: Statement, around: Surroundings): Change[] {
  const span = { start: statement.start, end: statement.end };
  if (statement.kind === 'assign' && statement.value !== undefined) {
    const { value } = statement;
    return statement.targets.flatMap((target) => changed(target, value, span, around));
  }
  if (statement.kind === 'augmentedAssign') return changed(statement.target, undefined, span, around);
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return [];
  const { callee, arguments: given } = statement.value;
  if (callee.kind === 'attribute' && callee.attribute.name === 'update') {
    const object = callee.object;
    return given.flatMap((argument): Change[] => {
      if (argument.kind === 'keyword')
        return [{ object, key: argument.name.name, value: argument.value, span, around }];
      const entries = literalEntries(argument.value);
      if (entries === undefined) return [{ object, key: undefined, value: undefined, span, around }];
      return entries.map(({ name, value }) => ({ object, key: name, value, span, around }));
    });
  }
  const [object, key, value] = given;
  if (callee.kind === 'name' && callee.name === 'setattr' && object !== undefined && value !== undefined) {
    const name = key?.value.kind === 'string' ? key.value.value : undefined;
    return [{ object: object.value, key: name, value: value.value, span, around }];
  }
  return [];
}

function changed(target: Expression, value: Expression | undefined, span: Span, around: Surroundings): Change[] {
  if (target.kind === 'attribute') return [{ object: target.object, key: target.attribute.name, value, span, around }];
  if (target.kind === 'subscript') {
    const [index] = target.indices;
    const key = index?.kind === 'string' ? index.value : undefined;
    return [{ object: target.object, key, value, span, around }];
  }
  if (target.kind === 'tuple' || target.kind === 'list')
    return target.elements.flatMap((element) => changed(element, undefined, span, around));
  return [];
}
