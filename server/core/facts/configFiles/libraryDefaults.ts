import type { Versions } from '../../torch/version.ts';
import { variantNote, variantOfTrainer } from '../libraryVariant.ts';
import { fusedByDefault } from '../optimizerImplementation.ts';
import type { Given } from './given.ts';
import { present, type SaidRun } from './said.ts';
import type { SourceKind } from './sourceKinds.ts';

/** What a file of one kind leaves to the version of a library. */
export function withLibraryDefaults(said: SaidRun, kind: SourceKind, given: Given, versions: Versions): SaidRun {
  if (kind !== 'trainer' && kind !== 'llamafactory') return said;
  const defaults = { ...present({ optimizerImplementation: fusedByDefault(versions) }), ...said.defaults };
  // Which trainer reads a file of arguments is not known: TRL's have the same names.
  return withVariant({ ...said, defaults }, given, 'trl', versions);
}

/**
 * Where a switch of transformers' trainer turns checkpointing on and nothing says which variant runs, the library's version
 * decides, if it is known.
 */
export function withVariant(said: SaidRun, given: Given, library: 'transformers' | 'trl', versions: Versions): SaidRun {
  const { checkpointing } = said.settings;
  const options = 'gradient_checkpointing_kwargs';
  const isOpen =
    checkpointing?.value.mechanism === 'gradient_checkpointing' &&
    checkpointing.value.mode === 'full' &&
    checkpointing.value.variant === undefined &&
    given.find(options) === undefined &&
    given.section(options) === undefined;
  const variant = isOpen ? variantOfTrainer(library, versions) : undefined;
  if (checkpointing === undefined || variant === undefined) return said;
  return {
    ...said,
    settings: { ...said.settings, checkpointing: { ...checkpointing, value: { ...checkpointing.value, variant } } },
    notes: [...said.notes, variantNote(versions, variant)],
  };
}
