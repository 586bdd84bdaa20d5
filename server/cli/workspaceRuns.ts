import { readFileSync, statSync } from 'node:fs';
import { configFormatOf } from '../core/config/configFile.ts';
import { largestConfigBytes } from '../core/config/relevantConfig.ts';
import { type FoundRun, runsOfPython, runsOfText } from '../core/facts/configFiles/runs.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import { absolutePath } from './absolutePath.ts';
import { findFiles } from './findFiles.ts';
import { UsageError } from './flags.ts';
import { attempt, type Problem, reason } from './problem.ts';
import { decodeSource, largestSourceBytes } from './pythonSource.ts';
import { loadTools, type Tools } from './tools.ts';

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
  const runs = files
    .filter((file) => !isFolder || !file.endsWith('.ipynb'))
    .flatMap((file) => runsOfFile(file, tools, nameOf, isFolder, found));
  return { runs, problems: found, isFolder };
}

/** As paths are given on a command line: from the folder it was started in. */
function placeNames(files: readonly string[]): (absolute: string) => string {
  const given = new Map(files.map((file) => [absolutePath(file), file]));
  const here = `${absolutePath('.')}/`;
  return (absolute) => given.get(absolute) ?? (absolute.startsWith(here) ? absolute.slice(here.length) : absolute);
}

function runsOfFile(
  file: string,
  { parse, surroundings }: Tools,
  placeName: (absolute: string) => string,
  isFolder: boolean,
  problems: Problem[],
): readonly FoundRun[] {
  const isSettings = configFormatOf(file) !== undefined;
  const size = attempt(file, problems, () => statSync(file).size) ?? 0;
  if (size > (isSettings ? largestConfigBytes : largestSourceBytes)) {
    if (!isFolder) problems.push({ path: file, message: 'too large to be settings or code' });
    return [];
  }
  const bytes = attempt(file, problems, () => readFileSync(file));
  if (bytes === undefined || (!isSettings && isFolder && !maySpeakOfRun.test(bytes.toString('latin1')))) return [];
  const { text } = decodeSource(bytes);
  const absolute = absolutePath(file);
  const workspace = surroundings.workspaceOf(absolute);
  const around = { workspace, placeName };
  const runs = isSettings
    ? runsOfText(absolute, text, around)
    : runsOfPython(sourceFile(absolute, parse(text), workspace), around);
  return runs.map((run) => ({ ...run, id: run.id.replace(absolute, () => file) }));
}

/** Without any of these words a Python file needs no parsing. */
const maySpeakOfRun =
  /[Cc]onfig|layers?\b|Train|from_pretrained|ModelArgs|--num-layers|^(batch_size|block_size|n_layer) *=|type=/m;

export function orUsageError<T>(given: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`${given}: ${reason(error)}`);
  }
}
