import { rulePages } from '../core/rules/generated/pages.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import type { ExitCode } from './exitCode.ts';
import { readFlags, UsageError } from './flags.ts';
import { ruleNamed } from './ruleSelection.ts';
import { print } from './terminal.ts';

/** `explain CODE`: the page as it is written; Markdown reads well in a terminal. */
export async function explain(args: readonly string[]): Promise<ExitCode> {
  const { positionals } = readFlags(args, {});
  const [wanted, ...more] = positionals;
  const codes = (): string => allRules.map(({ code }) => code).join(', ');
  if (wanted === undefined) throw new UsageError(`explain needs the CODE of a rule: ${codes()}`);
  if (more.length > 0) throw new UsageError('explain takes one CODE');
  const rule = ruleNamed(wanted);
  const page = rule && rulePages.get(rule.name);
  if (page === undefined) throw new UsageError(`there is no rule ${wanted}; there are ${codes()}`);
  print(page.endsWith('\n') ? page : `${page}\n`);
  return 0;
}
