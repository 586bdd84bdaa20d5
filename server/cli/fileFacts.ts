import { readFileSync, statSync } from 'node:fs';
import { detectRun } from '../core/facts/detectRun.ts';
import type { RunFacts } from '../core/facts/facts.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import { absolutePath } from './absolutePath.ts';
import { findFiles } from './findFiles.ts';
import { UsageError } from './flags.ts';
import { reason } from './problem.ts';
import { decodeSource, largestSourceBytes } from './pythonSource.ts';
import { loadTools, type Tools } from './tools.ts';

export interface FileFacts {
  readonly path: string;
  readonly facts: RunFacts | undefined;
  /** Other files of the folder that have a model too. */
  readonly others: readonly string[];
}

/** What a file says, or the first file of a folder that says it all. @throws UsageError where it cannot be read */
export async function factsIn(path: string): Promise<FileFacts> {
  const isFolder = orUsageError(path, () => statSync(path).isDirectory());
  const tools = await loadTools();
  if (!isFolder) return { path, facts: factsOfFile(path, tools), others: [] };
  const withModel = findFiles([path], 'python')
    .files.filter(mayHaveModel)
    .slice(0, mostFiles)
    .flatMap((file) => {
      const facts = factsOfFile(file, tools);
      return facts?.model === undefined ? [] : [{ path: file, facts }];
    });
  const chosen = withModel.find(({ facts }) => missingValues(facts).length === 0) ?? withModel[0];
  if (chosen === undefined) return { path, facts: undefined, others: [] };
  return { ...chosen, others: withModel.filter((each) => each !== chosen).map((each) => each.path) };
}

/** A value that only a guess stands for, and the flag that gives it. */
export interface MissingValue {
  readonly flag: string;
  readonly why: string;
}

export function missingValues({ run }: RunFacts): readonly MissingValue[] {
  const necessary = [
    ['--batch', run.batch],
    ['--seq', run.sequence],
  ] as const;
  return necessary.flatMap(([flag, { origin }]) => (origin.kind === 'assumed' ? [{ flag, why: origin.why }] : []));
}

/** Of a folder with more files that speak of models, only these are read, to end within seconds. */
const mostFiles = 400;

const mayHaveModel = (file: string): boolean => {
  try {
    return /[Cc]onfig|layers?\b|Train|from_pretrained|ModelArgs/.test(readFileSync(file, 'latin1'));
  } catch {
    return false;
  }
};

function factsOfFile(path: string, { parse, surroundings }: Tools): RunFacts | undefined {
  const bytes = orUsageError(path, () => readFileSync(path));
  if (bytes.byteLength > largestSourceBytes) return undefined;
  const file = absolutePath(path);
  const workspace = surroundings.workspaceOf(file);
  const { module, names } = sourceFile(file, parse(decodeSource(bytes).text), workspace);
  const here = `${absolutePath('.')}/`;
  // As paths are given on a command line: from the folder it was started in.
  const placeName = (other: string): string => (other.startsWith(here) ? other.slice(here.length) : other);
  return detectRun(module, names, path, { workspace, file, placeName });
}

function orUsageError<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`${path}: ${reason(error)}`);
  }
}
