import type { Fact, LostValue } from '../facts.ts';
import { isSize } from '../modelReading.ts';
import { type Given, type GivenValue, originOfGiven } from './given.ts';

/** A whole number that is given under one of these names. Where it cannot be read, `standIn` stands for it and a note says so. */
export const numberGiven = (given: Given, standIn: number, ...names: readonly string[]): Fact<number> | undefined =>
  valueGiven(given, standIn, names, (value) => {
    const number = typeof value === 'string' && /^\d[\d_]*$/.test(value) ? Number(value.replaceAll('_', '')) : value;
    return isSize(number) ? number : undefined;
  });

/** True or false; libraries that read JSON and command lines also take the words for it. */
export const switchGiven = (given: Given, standIn: boolean, ...names: readonly string[]): Fact<boolean> | undefined =>
  valueGiven(given, standIn, names, switchOf);

export function switchOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  return ['true', 'yes', 'on', '1'].includes(word)
    ? true
    : ['false', 'no', 'off', '0'].includes(word)
      ? false
      : undefined;
}

export const textGiven = (given: Given, ...names: readonly string[]): Fact<string> | undefined =>
  valueGiven(given, undefined, names, (value) => (typeof value === 'string' && value !== '' ? value : undefined));

/** A probability. */
export const shareGiven = (given: Given, standIn: number, ...names: readonly string[]): Fact<number> | undefined =>
  valueGiven(given, standIn, names, (value) =>
    typeof value === 'number' && value >= 0 && value < 1 ? value : undefined,
  );

/** One of several words, by what they mean. Other words are told in a note and are no value. */
export function choiceGiven<T>(
  given: Given,
  choices: Readonly<Record<string, T>>,
  ...names: readonly string[]
): Fact<T> | undefined {
  return valueGiven(given, undefined, names, (value) => {
    const word = String(value).toLowerCase();
    return Object.hasOwn(choices, word) ? choices[word] : undefined;
  });
}

/** The same where other words mean something else and need no note. */
export function meaningOf<T>(
  given: Given,
  choices: Readonly<Record<string, T>>,
  ...names: readonly string[]
): Fact<T> | undefined {
  const found = given.find(...names);
  const word = String(found?.value).toLowerCase();
  const value = Object.hasOwn(choices, word) ? choices[word] : undefined;
  return found === undefined || value === undefined ? undefined : { value, origin: originOfGiven(found) };
}

/** Words for "not said here": the value then comes from somewhere else. */
const saysNothing = (value: unknown): boolean => value === null || value === 'auto';

export function valueGiven<T>(
  given: Given,
  standIn: T | undefined,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): Fact<T> | undefined {
  const found = given.find(...names);
  if (found === undefined || saysNothing(found.value)) return undefined;
  const value = found.value === undefined ? undefined : read(found.value);
  const lost = lostOf(found);
  if (value !== undefined) return { value, origin: originOfGiven(found), ...lost };
  const why = problemOf(given, found);
  if (!given.notes.includes(why)) given.notes.push(why);
  return standIn === undefined ? undefined : { value: standIn, origin: { kind: 'assumed', why }, ...lost };
}

/** Why a value that stands there does not count. */
export function problemOf(given: Given, { name, value, place }: GivenValue): string {
  const where = `${name} on line ${place.line} of ${given.source}`;
  return value === undefined
    ? `${where} could not be read`
    : `${where} is ${JSON.stringify(value)}, which has no account`;
}

/** Repeated keys: what came before is kept as what lost. */
function lostOf({ earlier }: GivenValue): { readonly lost?: readonly LostValue[] } {
  if (earlier === undefined) return {};
  return { lost: earlier.map((one) => ({ value: one.value, origin: originOfGiven(one) })) };
}
