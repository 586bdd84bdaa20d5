import { type FoundRun, mostSpecific } from '../core/facts/configFiles/runs.ts';
import { factsJson } from '../core/report/factsJson.ts';
import { factsText } from '../core/report/factsText.ts';
import { problemLine } from '../scan/problem.ts';
import type { ExitCode } from './exitCode.ts';
import { choice, readFlags, UsageError } from './flags.ts';
import { print, warn } from './terminal.ts';
import { runsIn } from './workspaceRuns.ts';

/** `facts [PATH]`: the runs that files describe, and every value of one of them with where it was read. */
export async function facts(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readFlags(args, { format: 'text', run: 'text' });
  const format = choice('--format', values.format, ['text', 'json'] as const) ?? 'text';
  if (positionals.length > 1) throw new UsageError('facts takes one PATH');
  const { runs, problems } = await runsIn(positionals[0] ?? '.');
  const listed = runs.some(({ isWhole }) => isWhole) ? runs.filter(({ isWhole }) => isWhole) : runs;
  const chosen = values.run === undefined ? mostSpecific(listed) : named(values.run, listed, runs);
  const isListed = chosen === undefined || listed.includes(chosen);
  const report = { runs: isListed ? listed : [...listed, chosen], chosen };
  print(format === 'json' ? factsJson(report) : factsText(report));
  for (const problem of problems) warn(problemLine(problem));
  return problems.length > 0 ? 2 : 0;
}

/** By its number in the list, its identity, or a part of its title that no other has. @throws UsageError */
function named(name: string, listed: readonly FoundRun[], all: readonly FoundRun[]): FoundRun {
  const number = /^\d+$/.test(name) ? listed[Number(name) - 1] : undefined;
  const exact = number ?? all.find(({ id, title }) => id === name || title === name);
  if (exact !== undefined) return exact;
  const found = listed.filter(({ id, title }) => title.includes(name) || id.includes(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) throw new UsageError(`--run ${name}: there is no such run (there are ${listed.length})`);
  throw new UsageError(`--run ${name}: ${found.length} runs have that in their name; give the number`);
}
