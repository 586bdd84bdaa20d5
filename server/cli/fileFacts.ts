import { readsImages } from '../core/budget/readsImages.ts';
import { mostSpecific } from '../core/facts/configFiles/runs.ts';
import type { RunFacts } from '../core/facts/facts.ts';
import { runsIn } from './workspaceRuns.ts';

export interface FileFacts {
  readonly path: string;
  readonly facts: RunFacts | undefined;
  /** Other files of the folder that have a model too. */
  readonly others: readonly string[];
}

/** What a file says, or the run of a folder that says most. @throws UsageError where it cannot be read */
export async function factsIn(path: string): Promise<FileFacts> {
  const { runs, isFolder } = await runsIn(path);
  const candidates = isFolder ? runs.filter(({ facts }) => facts.model !== undefined) : runs;
  const chosen = mostSpecific(candidates);
  if (chosen === undefined) return { path, facts: undefined, others: [] };
  const others = isFolder ? candidates.map(fileOf).filter((file) => file !== fileOf(chosen)) : [];
  return { path: fileOf(chosen), facts: chosen.facts, others: [...new Set(others)] };
}

/** A run's identity is its file's path and, of several runs in one file, a number. */
const fileOf = ({ id }: { readonly id: string }): string => id.replace(/#\d+$/, '');

/** A value that only a guess stands for, and the flag that gives it. */
export interface MissingValue {
  readonly flag: string;
  readonly why: string;
}

export function missingValues({ model, run }: RunFacts): readonly MissingValue[] {
  const hasSequence = model === undefined || !readsImages(model.family.value);
  const necessary = [['--batch', run.batch] as const, ...(hasSequence ? [['--seq', run.sequence] as const] : [])];
  return necessary.flatMap(([flag, { origin }]) => (origin.kind === 'assumed' ? [{ flag, why: origin.why }] : []));
}
