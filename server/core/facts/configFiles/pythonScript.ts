import type { FlagWord } from '../../config/flags.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { detectRun, mayTellOfRun } from '../detectRun.ts';
import type { CheckpointingNow, Fact, RunFacts } from '../facts.ts';
import type { OptionsGiven } from '../optionsGiven.ts';
import type { Given } from './given.ts';
import { nanoGptSource } from './nanoGpt.ts';
import { pathsMeant, type RunsAround } from './nearbyFiles.ts';
import { derived, joined, type SaidRun, type SaidSettings } from './said.ts';
import { type ChangedSizes, modelInOtherSizes } from './statedModel.ts';
import { numberGiven } from './values.ts';

/** What the program of a command line says itself, with the Python settings that are run over it. */
export function scriptSource(
  program: string,
  words: readonly FlagWord[],
  from: string,
  around: RunsAround,
  options?: Given,
): SaidRun | undefined {
  const file = pythonFile(program, from, around);
  if (file === undefined) return undefined;
  const facts = options === undefined ? factsOfFile(file, around) : factsUnder(options, file, around);
  const over = words.flatMap(({ text }) => {
    const named = text !== undefined && /^[^-].*\.py$/.test(text) ? pythonFile(text, from, around) : undefined;
    return named === undefined ? [] : [nanoGptSource(named, around)];
  });
  const own = facts === undefined ? [] : [saidOfFacts(facts)];
  if (own.length + over.length === 0) return undefined;
  return over.reduceRight((said, { said: more, sizes }) => resized(joined([more, said]), sizes), joined(own));
}

/** A `.py` file, or a module by its dotted name. */
function pythonFile(program: string, from: string, { workspace }: RunsAround): SourceFile | undefined {
  if (workspace === undefined || /\s/.test(program)) return undefined;
  const isModule = !program.endsWith('.py');
  const written = isModule ? `${program.replaceAll('.', '/')}.py` : program;
  for (const path of pathsMeant({ written, from }, workspace)) {
    const file = workspace.file(path);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** What a program says that is started with these options. */
function factsUnder(
  given: Given,
  file: SourceFile,
  { workspace, placeName, versions }: RunsAround,
): RunFacts | undefined {
  if (workspace === undefined || !mayTellOfRun(file.text)) return undefined;
  const options: OptionsGiven = { find: (name) => given.find(name), names: given.names('') };
  return detectRun(file.module, file.names, placeName(file.path), {
    workspace,
    file: file.path,
    placeName,
    versions,
    options,
  });
}

export function factsOfFile(
  file: SourceFile,
  { workspace, placeName, versions, known }: RunsAround,
): RunFacts | undefined {
  const before = known?.get(file.path);
  if (before !== undefined && before.text === file.text) return before.facts;
  // Decided from the text, before anything is parsed for it.
  if (!mayTellOfRun(file.text)) return undefined;
  const around = workspace && { workspace, file: file.path, placeName, versions };
  const facts = detectRun(file.module, file.names, placeName(file.path), around);
  known?.set(file.path, { text: file.text, facts });
  return facts;
}

/** What a Python file says; what it only assumes is not said by it. */
export function saidOfFacts({ model, namedModel, head, run, notes }: RunFacts): SaidRun {
  // What the model brings along goes where the model goes: another source may name another.
  const { dropout, ...others } = run;
  const ofRun: SaidSettings = dropout.origin.kind === 'registry' ? others : run;
  const kept = (isKept: (fact: Fact<unknown>) => boolean): SaidSettings =>
    Object.fromEntries(
      Object.entries(ofRun as unknown as Record<string, Fact<unknown>>).filter(([, fact]) => isKept(fact)),
    ) as SaidSettings;
  const name = model?.name ?? namedModel;
  return {
    ...(name !== undefined && { model: { name, model, notes: [], ...(model && { dropout }) } }),
    ...(head !== undefined && { head }),
    settings: kept(
      (fact) =>
        !isLeftOff(fact) && (['literal', 'registry', 'chosen'].includes(fact.origin.kind) || hasPlace(fact.origin)),
    ),
    defaults: kept(
      (fact) =>
        isLeftOff(fact) || fact.origin.kind === 'default' || (fact.origin.kind === 'derived' && !hasPlace(fact.origin)),
    ),
    notes,
  };
}

/** Code that switches checkpointing on and does not run leaves it to whatever else switches it on. */
const isLeftOff = ({ value, origin }: Fact<unknown>): boolean =>
  origin.kind === 'derived' && typeof value === 'object' && value !== null && 'mode' in value && value.mode === 'none';

const hasPlace = (origin: Fact<unknown>['origin']): boolean => 'place' in origin && origin.place !== undefined;

/** Sizes of the program's model that the command line gives otherwise. */
export function changedByFlags(script: SaidRun, given: Given): SaidRun {
  const size = (...names: readonly string[]) => numberGiven(given, 1, ...names);
  return resized(underFlags(script, given), {
    layers: size('n_layer', 'n_layers', 'num_layers', 'num_hidden_layers', 'depth'),
    hidden: size('n_embd', 'hidden_size', 'd_model', 'embed_dim', 'dim'),
    heads: size('n_head', 'n_heads', 'num_heads', 'num_attention_heads'),
    keyValueHeads: size('n_kv_head', 'n_kv_heads', 'num_key_value_heads'),
    vocabulary: size('vocab_size'),
    maximumSequence: size('block_size', 'n_positions', 'max_position_embeddings'),
  });
}

const checkpointingFlags = [
  'gradient_checkpointing',
  'grad_checkpointing',
  'use_gradient_checkpointing',
  'gradient_checkpointing_enable',
  'use_checkpoint',
  'use_checkpointing',
  'activation_checkpointing',
];

/**
 * What a program says for want of a command line is settled by one: options that are given are no defaults, and a switch
 * that is not given leaves what depends on it off.
 */
function underFlags(script: SaidRun, given: Given): SaidRun {
  const { checkpointing } = script.settings;
  const isOff =
    checkpointing?.origin.kind === 'derived' &&
    checkpointing.value.mode !== 'none' &&
    given.find(...checkpointingFlags) === undefined;
  const off = (on: Fact<CheckpointingNow>): Fact<CheckpointingNow> =>
    derived(
      { mode: 'none', segment: 1 },
      'the program checkpoints under a condition that no flag here meets',
      on.origin,
    );
  return {
    ...script,
    settings: { ...script.settings, ...(isOff && { checkpointing: off(checkpointing) }) },
    notes: script.notes.filter((note) => !/^checkpointing on line \d+ depends on /.test(note)),
  };
}

export function resized(said: SaidRun, sizes: ChangedSizes): SaidRun {
  const { model } = said;
  if (model?.model === undefined || Object.values(sizes).every((fact) => fact === undefined)) return said;
  return { ...said, model: { ...model, model: modelInOtherSizes(model.model, sizes) } };
}
