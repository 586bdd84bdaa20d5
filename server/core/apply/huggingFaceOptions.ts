import { keywordNamed, literalEntries } from '../python/arguments.ts';
import type { ResolvedCall } from '../python/calls.ts';
import { isAtLeast, isBefore } from '../torch/version.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import type { ApplyContext } from './place.ts';
import { writtenIn } from './sourceLayout.ts';

/** What `gradient_checkpointing_kwargs` becomes: its text, nothing where it may stay as it is, or why it cannot say so. */
export type OptionsChange = { readonly text: string | undefined } | { readonly why: string };

const name = 'gradient_checkpointing_kwargs';

/** Entries that `Trainer` takes out for itself before the rest goes to torch; seen in transformers 5.18. */
const own: Readonly<Partial<Record<ChosenStrategy['name'], string>>> = {
  'every-second': '"every_n_layers": 2',
  offload: '"offload": True',
};

/** The options that make a trainer's checkpointing the chosen one, those that are written already kept. */
export function optionsFor(
  { module, versions: { transformers } }: ApplyContext,
  { given }: ResolvedCall,
  isOn: boolean,
  chosen: ChosenStrategy,
): OptionsChange {
  const entry = own[chosen.name];
  if ((chosen.name !== 'full' && entry === undefined) || chosen.segment !== 1)
    return {
      why: `a trainer of transformers checkpoints every layer by itself, or none; ${chosenText(chosen)} needs a loop of your own`,
    };
  if (entry !== undefined && isBefore(transformers, 5, 18))
    return {
      why: `${chosenText(chosen)} is an option of transformers 5.18; it is not certain that an older one has it`,
    };
  // Before 4.35 there are no options.
  if (isBefore(transformers, 4, 35)) return { text: undefined };
  const kwargs = keywordNamed(given, name);
  if (kwargs === undefined) {
    // Since 5.0 the non-reentrant variant is the default.
    const isRight = entry === undefined && isOn && isAtLeast(transformers, 5, 0);
    return { text: isRight ? undefined : written(['"use_reentrant": False', ...(entry === undefined ? [] : [entry])]) };
  }
  const entries = kwargs.value.kind === 'dictionary' ? literalEntries(kwargs.value) : undefined;
  if (kwargs.preset || kwargs.value.kind !== 'dictionary' || entries === undefined)
    return entry === undefined ? { text: undefined } : { why: `${name} is not written out here` };
  const kept = kwargs.value.entries
    .map(({ key, value }) => ({ key, text: key && writtenIn(module, { start: key.start, end: value.end }) }))
    .filter(({ key }) => key?.kind !== 'string' || !ownKeys.has(key.value ?? ''))
    .flatMap(({ text }) => text ?? []);
  const before = entries.map(({ name: key }) => key).filter((key) => ownKeys.has(key));
  const isSame = entry === undefined ? before.length === 0 : writtenIn(module, kwargs.value).includes(entry);
  return { text: isSame ? undefined : written(entry === undefined ? kept : [...kept, entry]) };
}

const ownKeys: ReadonlySet<string> = new Set(['every_n_layers', 'offload']);

const written = (entries: readonly string[]): string => `{${entries.join(', ')}}`;
