import type { Field, ReadValue, Source } from './source.ts';

/** The value of an object's field, with what it hangs on: a command-line option, a change that may happen. */
export function fieldValue(source: Source, field: Field | undefined): ReadValue | undefined {
  const read = field?.value && source.read(field.value);
  if (field === undefined || read === undefined) return undefined;
  const options = field.option === undefined ? read.options : [...read.options, field.option];
  const lost = replaced(source, field, read);
  const found = { ...read, options, ...(lost.length > 0 && { lost }) };
  if (field.unless === undefined) return found;
  return { ...found, supposing: `unless line ${source.lineOf(field.unless)} changes it` };
}

/** Other values that the field had before, the newest first. */
function replaced(source: Source, field: Field, { value, lost }: ReadValue): readonly ReadValue[] {
  const found = [...(lost ?? [])];
  for (let before = field.before; before !== undefined; before = before.before) {
    const read = before.value && source.read(before.value);
    if (read !== undefined && read.value !== value) found.push(read);
  }
  return found;
}
