import type { Expression } from '../python/ast.ts';
import type { Given, GivenContent, GivenValue } from './configFiles/given.ts';
import { fieldValue } from './fieldValue.ts';
import type { Field, Fields, ReadValue, Source } from './source.ts';

/** A dictionary or an object of Python code as values by name: `zero_optimization.stage` is two keys deep. */
export function givenInFields(source: Source, fields: Fields, name: string): Given {
  return {
    source: name,
    notes: [],
    find(...names) {
      for (const path of names) {
        const field = fieldAt(source, fields, path.split('.'));
        if (field?.value !== undefined && hasKeys(source, field.value)) continue;
        if (field !== undefined) return given(source, path, field);
      }
      return undefined;
    },
    section(path) {
      const field = fieldAt(source, fields, path.split('.'));
      return field?.value !== undefined && hasKeys(source, field.value) ? source.placeOf(field.at) : undefined;
    },
    names: (path) => [...(fieldsAt(source, fields, path === '' ? [] : path.split('.'))?.fields.keys() ?? [])],
  };
}

/** A value that is worked out is not what is written. */
function hangingOn({ from, supposing }: ReadValue): { readonly supposing?: string } {
  const words = [from, supposing].filter((each) => each !== undefined);
  return words.length === 0 ? {} : { supposing: words.join(', ') };
}

function hasKeys(source: Source, value: Expression): boolean {
  const roots = source.rootsOf(value);
  return (
    roots.length === 1 &&
    (roots[0]?.kind === 'dictionary' || (roots[0]?.kind === 'call' && source.fieldsOf(value) !== undefined))
  );
}

function fieldAt(source: Source, fields: Fields, path: readonly string[]): Field | undefined {
  const last = path.at(-1);
  return last === undefined ? undefined : fieldsAt(source, fields, path.slice(0, -1))?.fields.get(last);
}

function fieldsAt(source: Source, fields: Fields, path: readonly string[]): Fields | undefined {
  let current: Fields | undefined = fields;
  for (const key of path) {
    const value: Expression | undefined = current?.fields.get(key)?.value;
    current = value && source.fieldsOf(value);
  }
  return current;
}

function given(source: Source, name: string, field: Field): GivenValue {
  const read = fieldValue(source, field);
  const told = (each: ReadValue): GivenValue => ({
    name,
    value: each.value as GivenContent,
    place: source.placeOf(each.at),
    ...hangingOn(each),
  });
  if (read === undefined) return { name, value: undefined, place: source.placeOf(field.at) };
  const earlier = (read.lost ?? []).map(told);
  return { ...told(read), ...(earlier.length > 0 && { earlier }) };
}
