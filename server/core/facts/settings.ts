import { oncePer } from '../python/oncePer.ts';
import { allOptions } from './commandLine.ts';
import { fieldValue } from './fieldValue.ts';
import { isSize } from './modelReading.ts';
import { type Fields, lastName, type ReadValue, type Source } from './source.ts';

/**
 * A number that a script keeps under one of these names: a variable, a command-line option. Only where
 * the whole file gives it one value.
 */
export function settingNamed(source: Source, names: readonly string[]): ReadValue | undefined {
  return firstSize(names, (name) => variable(source, name) ?? option(source, name));
}

/** A word that an option has where nobody gives one: `--precision amp`. */
export function optionNamed(source: Source, names: readonly string[]): ReadValue | undefined {
  return names.map((name) => option(source, name)).find((read) => typeof read?.value === 'string' && read.value !== '');
}

export function optionNumber(source: Source, name: string): number | undefined {
  const value = option(source, name)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** The same for fields of objects and of classes, which are often another thing's sizes. */
export function fieldNamed(source: Source, names: readonly string[]): ReadValue | undefined {
  return firstSize(names, (name) => attribute(source, name) ?? classField(source, name) ?? importedField(source, name));
}

function firstSize(names: readonly string[], read: (name: string) => ReadValue | undefined): ReadValue | undefined {
  for (const name of names) {
    const found = read(name);
    if (found !== undefined && isSize(found.value)) return found;
  }
  return undefined;
}

/** `B` and `T` where both are set once at the top of a script and nothing else is called so. */
export function batchAndLength(source: Source): { readonly batch: ReadValue; readonly length: ReadValue } | undefined {
  const [batch, length] = ['B', 'T'].map((name) => {
    const all = (source.assignments.get(name) ?? []).filter(({ around }) => around.function === undefined);
    const [only] = all;
    return all.length === 1 && only?.value !== undefined ? source.read(only.value) : undefined;
  });
  return batch !== undefined && length !== undefined && isSize(batch.value) && isSize(length.value)
    ? { batch, length }
    : undefined;
}

/** Names are compared without case, since constants are often written in capitals. */
function variable(source: Source, name: string): ReadValue | undefined {
  const all = [...(source.assignments.get(name) ?? []), ...(source.assignments.get(name.toUpperCase()) ?? [])];
  const running = all.filter(({ around }) => !around.conditions.some((condition) => source.holds(condition) === false));
  const [only] = running;
  return running.length === 1 && only?.value !== undefined ? source.read(only.value) : undefined;
}

function option(source: Source, name: string): ReadValue | undefined {
  const all = allOptions(source).filter((each) => each.name === name);
  const [only] = all;
  if (all.length !== 1 || only === undefined) return undefined;
  return fieldValue(source, only.field);
}

/** `train_config.batch_size` of an object that is known, wherever it was made. */
function attribute(source: Source, name: string): ReadValue | undefined {
  const found = (source.attributes.get(name) ?? []).slice(0, mostUses).map((each) => source.read(each));
  const [first] = found;
  const isOne = found.every((each) => each !== undefined && each.value === first?.value);
  return isOne ? first : undefined;
}

/** A field of the one imported class of that file's own that has it: `config = TrainConfig()`. */
function importedField(source: Source, name: string): ReadValue | undefined {
  const found = importedObjects(source).flatMap(({ fields }) => fields.get(name) ?? []);
  return found.length === 1 ? fieldValue(source, found[0]) : undefined;
}

/** Objects of classes of other files that this file makes just one of: of several it is not known which one counts. */
const importedObjects = oncePer((source: Source): readonly Fields[] => {
  const named = source.calls.filter(({ call, definition, qualified }) => {
    const mayBe = /(config|args|arguments|params|settings)$/i.test(lastName(call.callee));
    return mayBe && definition === undefined && qualified !== undefined;
  });
  const counts = new Map<string | undefined, number>();
  for (const { qualified } of named) counts.set(qualified, (counts.get(qualified) ?? 0) + 1);
  return named.flatMap(({ call, qualified }) => {
    if (counts.get(qualified) !== 1 || source.outside(call.callee) === undefined) return [];
    return source.fieldsOf(call) ?? [];
  });
});

/** A setting that is read more often than this is another thing's. */
const mostUses = 20;

function classField(source: Source, name: string): ReadValue | undefined {
  const all = source.classes.flatMap((owner) =>
    owner.body.flatMap((statement) =>
      statement.kind === 'assign' && statement.targets.some((target) => target.kind === 'name' && target.name === name)
        ? [owner]
        : [],
    ),
  );
  const [only] = all;
  if (all.length !== 1 || only === undefined) return undefined;
  const made = source.calls.filter(({ definition }) => definition === only);
  if (made.length > 1) return undefined;
  const fields = made[0] === undefined ? source.fieldsOf(only.name) : source.fieldsOf(made[0].call);
  const field = fields?.fields.get(name);
  return fieldValue(source, field);
}
