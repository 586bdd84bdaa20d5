import type { Field, ReadValue, Source } from './source.ts';

/** The value of an object's field, with what it hangs on: a command-line option, a change that may happen. */
export function fieldValue(source: Source, field: Field | undefined): ReadValue | undefined {
  const read = field?.value && source.read(field.value);
  if (field === undefined || read === undefined) return undefined;
  const options = field.option === undefined ? read.options : [...read.options, field.option];
  if (field.unless === undefined) return { ...read, options };
  return { ...read, options, supposing: `unless line ${source.lineOf(field.unless)} changes it` };
}
