import type { Rule } from '../core/lint/rule.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import { UsageError } from './flags.ts';

/** By code or name, in any case. */
export function ruleNamed(text: string): Rule | undefined {
  const wanted = text.trim().toLowerCase();
  return allRules.find(({ code, name }) => code.toLowerCase() === wanted || name === wanted);
}

/**
 * The rules that `--select` and `--ignore` leave, each given as lists with commas.
 * @throws UsageError for a rule that does not exist
 */
export function selectedRules(
  select: readonly string[] | undefined,
  ignore: readonly string[] | undefined,
): readonly Rule[] {
  const only = select && rulesIn('--select', select);
  const without = ignore && rulesIn('--ignore', ignore);
  return allRules.filter((rule) => only?.has(rule) !== false && without?.has(rule) !== true);
}

function rulesIn(flag: string, lists: readonly string[]): ReadonlySet<Rule> {
  const names = lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new UsageError(`${flag} needs codes of rules, for example AC101`);
  return new Set(
    names.map((name) => {
      const rule = ruleNamed(name);
      if (rule === undefined) {
        throw new UsageError(
          `${flag} ${name}: there is no such rule; there are ${allRules.map(({ code }) => code).join(', ')}`,
        );
      }
      return rule;
    }),
  );
}
