import type { Expression } from '../python/ast.ts';
import { switchGiven } from './checkpointingFlags.ts';
import {
  type CheckpointingReading,
  checkpointed,
  none,
  reading,
  type Variant,
  variantGiven,
} from './checkpointingReading.ts';
import type { CheckpointingNow, Fact } from './facts.ts';
import { variantNote, variantOfTrainer } from './libraryVariant.ts';
import { isSize } from './modelReading.ts';
import { type Fields, originOf, type Source } from './source.ts';
import { type TrainerArguments, trainerProblem, trainerValue } from './trainer.ts';

/** What a trainer is told: `gradient_checkpointing` with its options, or FSDP's own switch. */
export function checkpointingOfTrainer(source: Source, trainer: TrainerArguments): CheckpointingReading | undefined {
  const read = trainerValue(source, trainer, 'gradient_checkpointing');
  const fields = trainer.fields.fields;
  const sharded = ofFsdp(source, fields.get('fsdp_config')?.value);
  if (typeof read?.value !== 'boolean') return sharded;
  if (!read.value) return sharded ?? reading(none, originOf(source, read), [], read.options);
  const byVersion = variantOfTrainer(trainer.library, source.versions);
  const more = moreGiven(source, fields.get('gradient_checkpointing_kwargs')?.value, byVersion);
  const value = checkpointed('gradient_checkpointing', more.said);
  return reading(value, originOf(source, read), notesOf(source, more), [...read.options, ...more.options]);
}

/** With a sentence about a variant that only the library's version decides. */
export const notesOf = ({ versions }: Source, { said, isLeftToLibrary, notes }: MoreGiven): readonly string[] =>
  isLeftToLibrary && said.variant !== undefined ? [...notes, variantNote(versions, said.variant)] : notes;

/** What holds where the trainer is told nothing. */
export function trainerDefault(source: Source, trainer: TrainerArguments): CheckpointingReading {
  const problem = trainerProblem(source, trainer, 'gradient_checkpointing');
  if (problem !== undefined) return reading(none, { kind: 'assumed', why: problem }, [problem]);
  const what = `${trainer.className}.gradient_checkpointing`;
  if (trainer.library === 'trl')
    return reading(checkpointed('gradient_checkpointing'), {
      kind: 'default',
      library: 'trl',
      what: `${what} (since 0.20)`,
    });
  return reading(none, { kind: 'default', library: 'transformers', what });
}

/** Options of transformers' own switch, which are one dictionary with those of torch. */
export interface MoreGiven {
  readonly said: Pick<CheckpointingNow, 'every' | 'offloaded'> & { readonly variant: Variant | undefined };
  /** Nothing says which variant runs. */
  readonly isLeftToLibrary: boolean;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

/**
 * `{"use_reentrant": False, "every_n_layers": 2, "offload": True}`. Without `use_reentrant` the variant is `whenAbsent`; what
 * cannot be read leaves it open.
 */
export function moreGiven(source: Source, given: Expression | undefined, whenAbsent?: Variant): MoreGiven {
  const nothing = { said: { variant: whenAbsent }, isLeftToLibrary: true, options: [], notes: [] };
  if (given === undefined || source.read(given)?.value === null) return nothing;
  const fields = source.fieldsOf(given);
  if (fields === undefined)
    return {
      ...nothing,
      said: { variant: undefined },
      isLeftToLibrary: false,
      notes: [`the options on line ${source.lineOf(given)} could not be read`],
    };
  // Any option at all takes the place of transformers' own, and torch takes the reentrant variant then.
  const isOfTorch = [...fields.fields.keys()].some((name) => name !== 'every_n_layers' && name !== 'offload');
  const absent = fields.open === undefined ? (isOfTorch ? 'reentrant' : whenAbsent) : undefined;
  return {
    ...nothing,
    isLeftToLibrary: !isOfTorch && fields.open === undefined,
    said: {
      variant: variantGiven(source, fields.fields.get('use_reentrant')?.value, absent),
      ...extraGiven(source, fields),
    },
  };
}

/** Since transformers 5 the switch picks layers and moves what it saves to the host. */
export function extraGiven(source: Source, { fields }: Fields): Pick<CheckpointingNow, 'every' | 'offloaded'> {
  const every = switchGiven(source, fields.get('every_n_layers')?.value)?.value;
  const offloaded = switchGiven(source, fields.get('offload')?.value)?.value === true;
  return { ...(isSize(every) && every > 1 && { every }), ...(offloaded && { offloaded }) };
}

/** `fsdp_config={"activation_checkpointing": True}`, which goes to torch's wrapper. */
function ofFsdp(source: Source, given: Expression | undefined): CheckpointingReading | undefined {
  const fields = given && source.fieldsOf(given)?.fields;
  const field = fields?.get('activation_checkpointing') ?? fields?.get('fsdp_activation_checkpointing');
  const read = switchGiven(source, field?.value);
  const isOn = read?.value === true || (typeof read?.value === 'string' && /^true$/i.test(read.value));
  return read !== undefined && isOn ? reading(wrappedByFsdp, originOf(source, read), [], read.options) : undefined;
}

export const wrappedByFsdp: CheckpointingNow = checkpointed('fsdp activation_checkpointing', {
  variant: 'non-reentrant',
});

/** Whether a trainer was told outright to leave checkpointing off, which switches nothing off that is on already. */
export const isDenied = (fact: Fact<CheckpointingNow> | undefined): boolean =>
  fact?.value.mode === 'none' && fact.origin.kind === 'literal';
