import type { FlagList, FlagWord } from '../../config/flags.ts';
import type { Fact, Place } from '../facts.ts';
import { adaptersUnderFlags } from './adaptersUnderFlags.ts';
import { type Given, givenInFlags, type PlaceOf } from './given.ts';
import { readLauncher, usesDeepSpeed } from './launcher.ts';
import { parted, takesValue, trainsNothing, writtenPath } from './launchProgram.ts';
import { withVariant } from './libraryDefaults.ts';
import { underFsdp2 } from './llamaFactory.ts';
import { isMegatron, readMegatron } from './megatron.ts';
import { baseName, type RunsAround } from './nearbyFiles.ts';
import { isNemo, readNemo } from './nemo.ts';
import { readOpenRlhf } from './openRlhf.ts';
import { changedByFlags, scriptSource } from './pythonScript.ts';
import type { SaidRun } from './said.ts';
import { fileNamed, partsNamed, settingsSource, withDeepSpeed } from './settingsSource.ts';
import { type SourceKind, sourceReaders } from './sourceKinds.ts';
import { readTrainer } from './trainer.ts';
import { switchOf } from './values.ts';
import { isVerl, isVerlTuning, readVerl, readVerlTuning } from './verl.ts';

/** One command line that starts a training, as a source of facts. */
export interface LaunchSource {
  readonly said: SaidRun;
  /** The program, or what stands for it: `train.py`, `llamafactory-cli train`. */
  readonly title: string;
  readonly place: Place;
}

/**
 * `torchrun --nproc_per_node 8 train.py --bf16 True --deepspeed ds.json`: what the flags say, then the files they name, then
 * the program itself. Undefined for a command that says nothing about a training.
 */
export function launchSource(
  flags: FlagList,
  path: string,
  around: RunsAround,
  placeOf: PlaceOf,
): LaunchSource | undefined {
  const { launcher, program, words } = parted(flags.words);
  const given = givenInFlags(baseName(path), { words, complete: flags.complete }, placeOf);
  if (program !== undefined && trainsNothing(program, given)) return undefined;
  // Of these programs the environment says how many processes they start.
  const environment = program !== undefined && startsProcesses.test(program) ? (flags.environment ?? []) : [];
  const all = { words: [...environment, ...launcher], complete: flags.complete };
  const before = givenInFlags(baseName(path), all, placeOf);
  const kind = program === undefined ? undefined : kindOfProgram(program);
  const own = ownFlags(given, kind, program);
  const files = filesNamed(words, path, around, given);
  const parts = partsNamed(
    given,
    ['deepspeed', 'deepspeed_config', 'ds_config', 'fsdp_config', 'model_config', 'config_name', 'config_file'],
    path,
    around,
  );
  const launcherParts = partsNamed(before, ['config_file', 'deepspeed_config_file'], path, around);
  const script = program === undefined ? undefined : scriptSource(program, words, path, around, given);
  const isDeepSpeed = deepSpeedOf(given) !== undefined;
  const said = withDeepSpeed(
    [
      adaptersUnderFlags(own, script, given),
      ...files,
      readLauncher(before),
      ...parts.said,
      ...launcherParts.said,
      ...(script === undefined ? [] : [changedByFlags(parts.isDeepSpeed ? withoutDoubt(script) : script, given)]),
    ],
    {
      isDeepSpeed: parts.isDeepSpeed || launcherParts.isDeepSpeed || usesDeepSpeed(before) || isDeepSpeed,
      source: baseName(path),
    },
  );
  const decides = isDeepSpeed && !parts.isDeepSpeed && own.settings.sharding === undefined;
  const isSettled = parts.said.length + launcherParts.said.length > 0 && script?.model !== undefined;
  if (!isTelling(own) && !isVerl(given) && files.length === 0 && !isSettled && !takesFrom(script, flags, placeOf))
    return undefined;
  const first = flags.words[0];
  if (first === undefined) return undefined;
  const title = program ?? (isMegatron(given) ? 'Megatron-LM' : baseName(path));
  return {
    said:
      kind === 'llamafactory'
        ? underFsdp2(said)
        : inTrainer(decides ? withoutPrecision(said) : said, script, given, around),
    title,
    place: placeOf(first.at),
  };
}

const startsProcesses = /^(swift|megatron|llamafactory-cli|lmf) /;

/** `--deepspeed ds.json`, `--deepspeed zero3`; an empty text stands for none. */
const deepSpeedOf = (given: Given) => {
  const found = given.find('deepspeed', 'deepspeed_config', 'ds_config');
  return found === undefined || switchOf(found.value) === false || [null, ''].includes(found.value as null | '')
    ? undefined
    : found;
};

/** The program cannot be read about a configuration that was read here. */
const withoutDoubt = (script: SaidRun): SaidRun => ({
  ...script,
  notes: script.notes.filter((note) => !/^the DeepSpeed configuration .* could not be read$/.test(note)),
});

/** A script that parses the arguments of transformers' trainer has its default for what no flag says. */
function inTrainer(said: SaidRun, script: SaidRun | undefined, given: Given, { versions = {} }: RunsAround): SaidRun {
  const origin = script?.defaults.checkpointing?.origin;
  const library = origin?.kind === 'default' ? origin.library : undefined;
  return library === 'transformers' || library === 'trl' ? withVariant(said, given, library, versions) : said;
}

/** DeepSpeed's configuration decides about precision, and it could not be read: no default may stand in for it. */
function withoutPrecision(said: SaidRun): SaidRun {
  if (said.settings.dataType !== undefined) return said;
  const why = "DeepSpeed's configuration decides, and it could not be read";
  return { ...said, defaults: { ...said.defaults, dataType: { value: 'fp32', origin: { kind: 'assumed', why } } } };
}

/** A model, a batch or a switch for checkpointing; mere paths and learning rates are no run. */
const isTelling = ({ model, settings }: SaidRun): boolean =>
  model !== undefined || settings.batch !== undefined || settings.checkpointing !== undefined;

/** The program puts what a flag gives to a use that counts. */
function takesFrom(script: SaidRun | undefined, { words }: FlagList, placeOf: PlaceOf): boolean {
  const [first] = words;
  const last = words.at(-1);
  if (script === undefined || first === undefined || last === undefined) return false;
  const { path } = placeOf(first.at);
  const isGiven = ({ origin }: Fact<unknown>): boolean => {
    const place = 'place' in origin ? origin.place : undefined;
    return place?.path === path && place.span.start >= first.at.start && place.span.end <= last.at.end;
  };
  const { name, model } = script.model ?? {};
  return [name, ...Object.values(model ?? {}), ...Object.values(script.settings)].some(
    (fact) => fact !== undefined && 'origin' in fact && isGiven(fact as Fact<unknown>),
  );
}

function ownFlags(given: Given, kind: SourceKind | undefined, program: string | undefined): SaidRun {
  if (kind !== undefined) return sourceReaders[kind].read(given);
  if (program?.startsWith('openrlhf.') === true) return readOpenRlhf(given);
  if (isNemo(given)) return readNemo(given);
  if (isMegatron(given)) return readMegatron(given, /bert|t5/i.exec(program ?? '')?.[0]);
  if (isVerlTuning(program)) return readVerlTuning(given);
  if (isVerl(given)) return readVerl(given);
  return readTrainer(given);
}

/** Programs of libraries whose flags have the names of their settings files. */
function kindOfProgram(program: string): SourceKind | undefined {
  if (/^llamafactory-cli train|^lmf train|src\/train(_bash)?\.py$/.test(program)) return 'llamafactory';
  if (/^axolotl |axolotl\.cli\.train/.test(program)) return 'axolotl';
  if (/^tune run/.test(program)) return 'torchtune';
  if (/^(swift|megatron) (sft|pt|rlhf)$/.test(program)) return 'swift';
  return /^torchtitan\.train$|torchtitan\/train\.py$/.test(program) ? 'torchtitan' : undefined;
}

/** Settings files among the words: `axolotl train config.yml`, `--config 8B_lora.yaml`, with the flags that change them. */
function filesNamed(words: readonly FlagWord[], path: string, around: RunsAround, flags: Given): readonly SaidRun[] {
  return words.flatMap((word, index) => {
    const written = writtenPath(word)?.replace(/^--[\w.-]+=/, '');
    const before = words[index - 1]?.text ?? '';
    const isMeant = !takesValue(before) || namesSettings.test(before);
    if (written === undefined || !isMeant || !/\.(ya?ml|toml|json)$/i.test(written)) return [];
    const found = fileNamed(written, path, around);
    const source = found && settingsSource(found.path, found.text, around, 1, flags);
    return source === undefined || !sourceReaders[source.kind].isRun ? [] : [source.said];
  });
}

const namesSettings = /^--(config|config[-_]file|job\.config_file|config[-_]path|args)$/;
