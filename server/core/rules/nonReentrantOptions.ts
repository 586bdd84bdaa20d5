import { addKeyword } from '../lint/addKeyword.ts';
import type { Fix, LintContext } from '../lint/rule.ts';
import { literalEntries } from '../python/arguments.ts';
import { constantOf } from '../python/constants.ts';
import { isBefore } from '../torch/version.ts';
import type { Enabling } from './huggingFaceVariant.ts';

const container = 'gradient_checkpointing_kwargs';

/** Gives a transformers call the other variant: changes the literal it has, or adds the options. */
export function setTransformersVariant(enabling: Enabling, reentrant: boolean, context: LintContext): Fix[] {
  const { module, names, versions } = context;
  const value = reentrant ? 'True' : 'False';
  if (enabling.options !== undefined) {
    const given = literalEntries(enabling.options.value)?.find(({ name }) => name === 'use_reentrant')?.value;
    if (given === undefined || typeof constantOf(given, names) !== 'boolean') return [];
    const edits = [{ span: { start: given.start, end: given.end }, text: value }];
    return [{ title: `Change to use_reentrant=${value}`, preferred: false, edits }];
  }
  if (isBefore(versions.transformers, 4, 35)) return [];
  const text = `${container}={"use_reentrant": ${value}}`;
  const edits = addKeyword(module, enabling.call, text);
  return edits === undefined ? [] : [{ title: `Add ${text}`, preferred: false, edits }];
}
