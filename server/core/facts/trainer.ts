import type { ClassDefinition, Expression } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { type ArgumentClass, argumentClasses } from './commandLine.ts';
import type { Fact } from './facts.ts';
import { instanceFields, parsedFields } from './fields.ts';
import { fieldValue } from './fieldValue.ts';
import { isSize } from './modelReading.ts';
import { type CallHere, type Fields, factOf, lastName, type ReadValue, type Source } from './source.ts';

/** The arguments of a Hugging Face trainer. */
export interface TrainerArguments {
  /** `TrainingArguments`, `SFTConfig`. */
  readonly className: string;
  readonly library: 'transformers' | 'trl';
  readonly fields: Fields;
  readonly span: Span;
}

/** The trainer's arguments this file makes: those a trainer is given, else the only or first ones. */
export function trainerArguments(source: Source): {
  readonly chosen: TrainerArguments | undefined;
  readonly notes: readonly string[];
} {
  const made = source.calls.flatMap((here): TrainerArguments[] => {
    const known = trainerClass(source, here);
    if (known === undefined) return [];
    const use = { offset: Number.POSITIVE_INFINITY, around: here.around };
    const fields = source.fieldsOf(here.call, use) ?? source.givenTo(here.call);
    return [{ ...known, fields: withoutOwnOpen(source, here, fields), span: here.call }];
  });
  const parsed = argumentClasses(source).flatMap((argument): TrainerArguments[] => {
    const { owner, ownedBy, qualified, span } = argument;
    const known = namedTrainerClass(qualified ?? '') ?? (owner && baseTrainerClass(ownedBy, owner, 0));
    if (known === undefined) return [];
    // Where the object is changed later, that name is the way to it.
    const changed = source.changes.find(({ object }) => isBoundAs(source, object, argument));
    const use = changed && { offset: Number.POSITIVE_INFINITY, around: changed.around };
    const fields = changed === undefined ? undefined : source.fieldsOf(changed.object, use);
    const declared =
      source.options !== undefined
        ? parsedFields(source, argument)
        : owner && source.handedOver(ownedBy, instanceFields(ownedBy, owner, undefined));
    return [{ ...known, fields: { fields: (fields ?? declared)?.fields ?? new Map(), open: undefined }, span }];
  });
  // The same class may be read from a file or from the command line.
  const all = [...made, ...parsed].filter(
    ({ span }, index, every) => every.findIndex((other) => other.span.start === span.start) === index,
  );
  const given = new Set(
    source.calls
      .filter(({ call }) => lastName(call.callee).endsWith('Trainer'))
      .flatMap(({ call }) => call.arguments)
      .flatMap((argument) =>
        argument.kind === 'keyword' && argument.name.name === 'args' ? source.rootsOf(argument.value) : [],
      ),
  );
  const chosen = all.find(({ span }) => [...given].some((root) => root.start === span.start)) ?? all[0];
  const notes: string[] = [];
  if (chosen !== undefined && parsed.includes(chosen))
    notes.push(`${chosen.className} is filled from the command line; its defaults are taken`);
  const others = all.filter((each) => each !== chosen);
  if (chosen !== undefined && others.length > 0) {
    const places = others.map((each) => `${each.className} on line ${source.lineOf(each.span)}`);
    notes.push(`${chosen.className} on line ${source.lineOf(chosen.span)} is read; there is also ${places.join(', ')}`);
  }
  return { chosen, notes };
}

/** A value given to the trainer's arguments. */
export function trainerValue(source: Source, { fields }: TrainerArguments, name: string): ReadValue | undefined {
  return fieldValue(source, fields.fields.get(name));
}

/** A whole number given to the trainer's arguments. */
export function trainerNumber(source: Source, trainer: TrainerArguments, name: string): Fact<number> | undefined {
  const read = trainerValue(source, trainer, name);
  return read !== undefined && isSize(read.value) ? factOf(source, read, read.value) : undefined;
}

/** Why a setting of the trainer is not known although it is given. */
export function trainerProblem(source: Source, trainer: TrainerArguments, name: string): string | undefined {
  const field = trainer.fields.fields.get(name);
  if (field !== undefined && fieldValue(source, field) === undefined)
    return `${name} on line ${source.lineOf(field.at)} could not be read`;
  return field === undefined && trainer.fields.open !== undefined
    ? `line ${source.lineOf(trainer.fields.open)} may set ${name}`
    : undefined;
}

const isBoundAs = (source: Source, object: Expression, { name, from }: ArgumentClass): boolean =>
  object.kind === 'name' &&
  object.name === name &&
  source.names.bindingsOf(object).some((binding) => binding.from === from);

type TrainerClass = Pick<TrainerArguments, 'className' | 'library'>;

function trainerClass(source: Source, { qualified, definition, call }: CallHere): TrainerClass | undefined {
  const named = qualified === undefined ? undefined : namedTrainerClass(qualified);
  if (named !== undefined) return named;
  if (definition?.kind === 'class') return baseTrainerClass(source, definition, 0);
  if (!/(Arguments|Args|Config)$/.test(lastName(call.callee))) return undefined;
  const outside = source.outside(call.callee);
  return outside !== undefined && 'definition' in outside && outside.definition.kind === 'class'
    ? baseTrainerClass(outside.source, outside.definition, 0)
    : undefined;
}

/** Classes that are based on each other in a circle end here. */
const longestInheritance = 8;

function baseTrainerClass(source: Source, owner: ClassDefinition, depth: number): TrainerClass | undefined {
  for (const base of owner.bases) {
    const known = namedTrainerClass(source.names.qualifiedName(base) ?? '') ?? inheritedClass(source, base, depth);
    if (known !== undefined) return { ...known, className: owner.name.name };
  }
  return undefined;
}

function inheritedClass(source: Source, base: Expression, depth: number): TrainerClass | undefined {
  if (depth > longestInheritance) return undefined;
  const definition = source.names.resolve(base).targets[0]?.definition;
  if (definition?.kind === 'class') return baseTrainerClass(source, definition, depth + 1);
  const outside = source.outside(base);
  return outside !== undefined && 'definition' in outside && outside.definition.kind === 'class'
    ? baseTrainerClass(outside.source, outside.definition, depth + 1)
    : undefined;
}

function namedTrainerClass(qualified: string): TrainerClass | undefined {
  const className = qualified.slice(qualified.lastIndexOf('.') + 1);
  if (/^transformers\./.test(qualified) && /^(Seq2Seq)?TrainingArguments$/.test(className))
    return { className, library: 'transformers' };
  if (/^unsloth\./.test(qualified) && className === 'UnslothTrainingArguments')
    return { className, library: 'transformers' };
  if (/^trl\./.test(qualified) && trlConfigs.test(className)) return { className, library: 'trl' };
  return undefined;
}

const trlConfigs =
  /^(SFT|DPO|CPO|ORPO|KTO|BCO|Reward|PRM|GRPO|RLOO|PPO|PPOv2|GKD|OnlineDPO|NashMD|XPO|IterativeSFT)Config$/;

/** A subclass of transformers' own class always has more fields than this file shows; those have their library's defaults. */
function withoutOwnOpen(source: Source, { call, definition }: CallHere, fields: Fields): Fields {
  const isForeign = definition === undefined && source.outside(call.callee) !== undefined;
  return definition === undefined && !isForeign ? fields : { ...fields, open: source.givenTo(call).open };
}
