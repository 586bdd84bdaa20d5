import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { configFormatOf } from '../core/config/configFile.ts';
import { largestConfigBytes } from '../core/config/relevantConfig.ts';
import { runsAbout } from '../core/facts/configFiles/besideScript.ts';
import type { RunsAround } from '../core/facts/configFiles/nearbyFiles.ts';
import { type FoundRun, runsOfPython, runsOfText } from '../core/facts/configFiles/runs.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../core/workspace/workspace.ts';
import type { ParsePython } from '../parse/parser.ts';
import { absolutePath } from '../scan/absolutePath.ts';
import { findFiles } from '../scan/findFiles.ts';
import { attempt, type Problem, reason } from '../scan/problem.ts';
import { decodeSource, largestSourceBytes } from '../scan/pythonSource.ts';
import { loadTools, type Tools } from '../scan/tools.ts';
import { UsageError } from './flags.ts';

export interface WorkspaceRuns {
  readonly runs: readonly FoundRun[];
  readonly problems: readonly Problem[];
  readonly isFolder: boolean;
}

/** The runs of one file, or of all files of a folder. @throws UsageError where the path cannot be read */
export async function runsIn(given: string): Promise<WorkspaceRuns> {
  const isFolder = orUsageError(given, () => statSync(given).isDirectory());
  const { files, problems } = findFiles([given], 'python, notebooks and settings');
  const tools = await loadTools();
  const found = [...problems];
  const nameOf = placeNames(files);
  const known: RunsAround['known'] = new Map();
  const runsOf = (some: readonly string[], speaksOfRun?: (text: string) => boolean): readonly FoundRun[] =>
    some.flatMap((file) => runsOfFile(file, tools, { placeName: nameOf, known }, speaksOfRun, found));
  if (!isFolder) return { runs: runsOf(files), problems: found, isFolder };
  // Tests configure a hundred small models that nobody trains.
  const own = files.filter(
    (file) => !/\.ipynb$|(^|[\\/])tests?[\\/]|(^|[\\/])test_[^\\/]*$/.test(path.relative(given, file)),
  );
  if (own.length <= mostReadWhole)
    return { runs: runsOf(own, (text) => trains.test(text) || hasModel.test(text)), problems: found, isFolder };
  const trainings = runsOf(own, (text) => trains.test(text) && isStarted.test(text));
  const runs = trainings.some(({ facts }) => facts.model !== undefined)
    ? trainings
    : runsOf(own, (text) => hasModel.test(text));
  return { runs, problems: found, isFolder };
}

/** A Python file that trains says one of these; of a folder all others need no parsing. */
const trains =
  /\.backward\(|Trainer\(|TrainingArguments|\.fit\(|optim\.\w+\(|\b(?:Adam|AdamW|SGD)\(|Trainer\.Config\(|--num-layers|TransformerConfig\(|\.initialize\(|^(?:batch_size|block_size|n_layer|train_dataloader) *=/m;

/** What somebody starts, in contrast to the inside of a library that trains. */
const isStarted =
  /__main__|ArgumentParser|hydra\.main|fire\.Fire|TrainingArguments\(|Trainer\(|from_pretrained\(|Trainer\.Config\(|--num-layers|TransformerConfig\(|^(?:batch_size|block_size|n_layer|train_dataloader) *=|^[a-z]\w* *= *\w*(?:optim|Adam)/m;

/** Of a folder with more files only those that train are looked into first: reading all takes longer than a person waits. */
const mostReadWhole = 200;

/** Where nothing trains, what has a model is shown. */
const hasModel = /Config\b|from_pretrained|ModelArgs|n_layers?\b|num_(hidden_)?layers\b|nn\.Transformer|create_model\(/;

/** As paths are given on a command line: from the folder it was started in. */
function placeNames(files: readonly string[]): (absolute: string) => string {
  const given = new Map(files.map((file) => [absolutePath(file), file]));
  const here = `${absolutePath('.')}/`;
  return (absolute) => given.get(absolute) ?? (absolute.startsWith(here) ? absolute.slice(here.length) : absolute);
}

function runsOfFile(
  file: string,
  { parse, surroundings }: Tools,
  { placeName, known }: Pick<RunsAround, 'placeName' | 'known'>,
  speaksOfRun: ((text: string) => boolean) | undefined,
  problems: Problem[],
): readonly FoundRun[] {
  const isSettings = configFormatOf(file) !== undefined;
  const size = attempt(file, problems, () => statSync(file).size) ?? 0;
  if (size > (isSettings ? largestConfigBytes : largestSourceBytes)) {
    if (speaksOfRun === undefined) problems.push({ path: file, message: 'too large to be settings or code' });
    return [];
  }
  const bytes = attempt(file, problems, () => readFileSync(file));
  if (bytes === undefined || (!isSettings && speaksOfRun?.(bytes.toString('latin1')) === false)) return [];
  const { text } = decodeSource(bytes);
  const absolute = absolutePath(file);
  const workspace = surroundings.workspaceOf(absolute);
  const versions = surroundings.versionsFor(absolute);
  const around: RunsAround = { workspace, placeName, versions, ...(known && { known }) };
  const runs = isSettings
    ? runsOfText(absolute, text, around)
    : (speaksOfRun === undefined ? runsAbout : runsOfPython)(fileOf(absolute, text, parse, workspace), around);
  return runs.map((run) => ({ ...run, id: run.id.replace(absolute, () => file) }));
}

/** The file as others of the workspace that name it have it, so that it is parsed once. */
function fileOf(path: string, text: string, parse: ParsePython, workspace: Workspace): SourceFile {
  const known = workspace.file(path);
  return known?.text === text ? known : sourceFile(path, parse(text), workspace);
}

export function orUsageError<T>(given: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`${given}: ${reason(error)}`);
  }
}
