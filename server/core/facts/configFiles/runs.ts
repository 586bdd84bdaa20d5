import { configFormatOf } from '../../config/configFile.ts';
import { isTooLarge } from '../../config/relevantConfig.ts';
import { parseShell } from '../../config/shell.ts';
import { commandLinesOf } from '../../config/shellFlags.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import type { Place, RunFacts } from '../facts.ts';
import { completed } from './completed.ts';
import { type LaunchSource, launchSource } from './launch.ts';
import { nanoGptSource, scriptOver } from './nanoGpt.ts';
import { baseName, type RunsAround } from './nearbyFiles.ts';
import { pythonRuns } from './pythonRuns.ts';
import { factsOfFile, resized, saidOfFacts } from './pythonScript.ts';
import { joined, type SaidRun } from './said.ts';
import { placesIn, settingsSource } from './settingsSource.ts';
import { sourceReaders } from './sourceKinds.ts';

/** A run that one file of a workspace describes. */
export interface FoundRun {
  /** The same as long as the file has the same runs: its path and, where it has several, which. */
  readonly id: string;
  /** For people: `train.sh: train.py`, `8B_lora.yaml (torchtune)`. */
  readonly title: string;
  readonly place: Place;
  readonly facts: RunFacts;
  /** False for what only says a part of a run: a DeepSpeed or Accelerate file, a model's configuration. */
  readonly isWhole: boolean;
}

/** The runs a settings file or a shell script describes, in the order in which they stand there. */
export function runsOfText(path: string, text: string, around: RunsAround): readonly FoundRun[] {
  const format = configFormatOf(path);
  if (format === undefined) return [];
  if (format === 'shell') return runsOfScript(path, text, around);
  const source = settingsSource(path, text, around);
  if (source === undefined) return [];
  const { title, isRun } = sourceReaders[source.kind];
  const run = {
    title: `${baseName(path)} (${title})`,
    place: source.place,
    facts: completed(source.said),
    isWhole: isRun,
  };
  return numbered(path, [run]);
}

function runsOfScript(path: string, text: string, around: RunsAround): readonly FoundRun[] {
  if (isTooLarge(text)) return [];
  const placeOf = placesIn(text, around.placeName(path));
  const launched = commandLinesOf(parseShell(text))
    .slice(0, mostRuns)
    .flatMap((flags) => launchSource(flags, path, around, placeOf) ?? [])
    .filter(isFirstOfItsKind());
  return numbered(
    path,
    launched.map(({ said, title, place }) => ({
      title: `${baseName(path)}: ${title}`,
      place,
      facts: completed(said),
      isWhole: said.model !== undefined || said.settings.batch !== undefined,
    })),
  );
}

/** A command that is shown and then run is one run. */
function isFirstOfItsKind(): (source: LaunchSource) => boolean {
  const known = new Set<string>();
  return ({ said, title }) => {
    const values = Object.entries(said.settings).map(([name, fact]) => [name, fact?.value]);
    const all = JSON.stringify([title, said.model?.name.value, values]);
    return known.size < known.add(all).size;
  };
}

/** More commands than this no script starts; a generated one may have thousands. */
const mostRuns = 60;

/**
 * The runs of a Python file: its own (`own`, where it has been read already), those its registries build, and the one of the
 * script that it is settings for.
 */
export function runsOfPython(
  file: SourceFile,
  around: RunsAround,
  own: RunFacts | undefined = factsOfFile(file, around),
): readonly FoundRun[] {
  const start = { start: 0, end: 0 };
  const placeOf = placesIn(file.text, around.placeName(file.path));
  const title = baseName(file.path);
  const script = scriptOver(file, around);
  if (script !== undefined) {
    const { said, sizes } = nanoGptSource(file, around);
    const under = factsOfFile(script, around);
    const whole = joined(under === undefined ? [said] : [said, saidOfScriptUnder(under)]);
    const facts = completed(resized(whole, sizes));
    return numbered(file.path, [
      { title: `${title} over ${baseName(script.path)}`, place: placeOf(start), facts, isWhole: true },
    ]);
  }
  const under = own === undefined ? [] : [saidOfFacts(own)];
  const built = pythonRuns(file, around).map(({ said, name, place }) => ({
    title: `${title}: ${name}`,
    place,
    // Hydra's settings are those of this file's own code, which says the rest.
    facts: completed(name === 'Hydra' ? joined([said, ...under]) : said),
    isWhole: true,
  }));
  const place = own?.model && 'place' in own.model.name.origin ? own.model.name.origin.place : undefined;
  const first = own && [{ title, place: place ?? placeOf(start), facts: own, isWhole: own.model !== undefined }];
  return numbered(file.path, [...(first ?? []), ...built]);
}

/** What runs other settings over its own warns of them; here they are known. */
const saidOfScriptUnder = (facts: RunFacts): SaidRun => {
  const said = saidOfFacts(facts);
  return { ...said, notes: said.notes.filter((note) => !note.startsWith('exec ')) };
};

const numbered = (path: string, runs: readonly Omit<FoundRun, 'id'>[]): readonly FoundRun[] =>
  runs.map((run, index) => ({ id: index === 0 ? path : `${path}#${index + 1}`, ...run }));

/**
 * The run that is shown where nobody chose: the one that says most itself. Of equals the first counts, so callers put
 * the file somebody looks at first.
 */
export function mostSpecific(runs: readonly FoundRun[]): FoundRun | undefined {
  let best: FoundRun | undefined;
  for (const run of runs) if (best === undefined || weight(run) > weight(best)) best = run;
  return best;
}

/** A whole run with a known model beats everything; then each of the values that an estimate needs counts. */
function weight({ facts: { model, namedModel, run }, isWhole }: FoundRun): number {
  const isSaid = ({ origin }: { readonly origin: { readonly kind: string } }): boolean => origin.kind !== 'assumed';
  const values = [run.batch, run.sequence, run.dataType].filter(isSaid).length;
  return (
    (isWhole ? 8 : 0) +
    (model !== undefined ? 16 : namedModel !== undefined ? 2 : 0) +
    2 * values +
    (isSaid(run.checkpointing) ? 1 : 0)
  );
}
