import type { Expression } from '../python/ast.ts';
import { type Change, lastName, type ReadValue, type Source } from './source.ts';
import type { KnownFlag } from './trainingGuard.ts';

/**
 * A switch that a module keeps about itself (`self.use_checkpoint`): what a later line sets it to from outside, else what
 * the method that sets it is called with, else what it starts as where nothing in the file calls that method.
 */
export const memberFlag =
  (source: Source): KnownFlag =>
  (test) => {
    if (test.kind !== 'attribute') return undefined;
    const owner = source.names.classOfSelf(test.object);
    if (owner === undefined) return undefined;
    const all = source.changes.filter(({ key }) => key === test.attribute.name);
    const outer = all.filter(
      ({ object }) => !isSelf(source, object) && !/arg|config|cfg|conf$/i.test(lastName(object)),
    );
    const last = outer.at(-1);
    if (last !== undefined) return last.value && source.read(last.value);
    const own = all.filter(({ object, around }) => isSelf(source, object) && around.class === owner);
    if (own.length < 2) return undefined;
    const starts = own.filter(({ around }) => around.function?.name.name === '__init__');
    const setters = own.filter(({ around }) => around.function?.name.name !== '__init__');
    const [start] = starts;
    if (starts.length !== 1 || start?.value === undefined) return undefined;
    const calls = setters.flatMap((setter) => callsOf(source, setter));
    if (calls.length === 0) return source.read(start.value);
    const given = calls.map(({ value }) => value && source.read(value));
    const [first] = given;
    return given.every((each) => each !== undefined && each.value === first?.value) ? first : undefined;
  };

const isSelf = (source: Source, object: Expression): boolean => source.names.classOfSelf(object) !== undefined;

/** What each call of a setter makes of the switch; the value is undefined where that cannot be told. */
function callsOf(source: Source, { value, around }: Change): { readonly value: Expression | undefined }[] {
  const setter = around.function;
  if (setter === undefined) return [];
  return source.calls.flatMap(({ call }) => {
    if (call.callee.kind !== 'attribute' || call.callee.attribute.name !== setter.name.name) return [];
    if (value?.kind !== 'name') return [{ value }];
    const position = setter.parameters.findIndex(({ name }) => name === value.name);
    const parameter = setter.parameters[position];
    if (parameter === undefined) return [{ value }];
    const named = call.arguments.find((each) => each.kind === 'keyword' && each.name.name === parameter.name);
    const positional = call.arguments.filter((each) => each.kind === 'positional')[position - 1];
    return [{ value: (named ?? positional)?.value ?? parameter.default }];
  });
}

/** The value of a switch that is given by keyword, or what stands for it where it is not given. */
export function switchGiven(source: Source, given: Expression | undefined): ReadValue | undefined {
  if (given === undefined) return undefined;
  const roots = source.rootsOf(given);
  return source.read(roots.length === 1 && roots[0] !== undefined ? roots[0] : given);
}
