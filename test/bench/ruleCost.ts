import { type LintOptions, lint } from '../../server/core/lint/engine.ts';
import type { Rule } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../support/python.ts';

/** No rule may cost more than this share of the parse. */
export const ruleCostBar = 0.1;

export interface RuleCost {
  readonly code: string;
  /** Of the parse of the same text in the same run. */
  readonly share: number;
}

/**
 * What each rule alone costs on a file that was just parsed and whose names and sites are known, dearest first. What several
 * rules share counts for each of them. Rules take turns and the least of each counts, since noise only ever adds; a rule that
 * looks dear is measured again before that is said.
 */
export function ruleCosts(text: string): readonly RuleCost[] {
  const least = new Map<string, number>();
  const note = (key: string, milliseconds: number): void => {
    least.set(key, Math.min(least.get(key) ?? Number.POSITIVE_INFINITY, milliseconds));
  };
  const timed = <Result>(key: string, work: () => Result): Result => {
    const started = cpuMilliseconds();
    const result = work();
    note(key, cpuMilliseconds() - started);
    return result;
  };
  const measure = (rule: Rule): void => {
    // Anew each time: what is found out about a tree is kept with it.
    const module = timed('parse', () => parsePython(text));
    const check: Rule['check'] = (context) => timed(rule.code, () => [...(rule.check?.(context) ?? [])]);
    lint(sourceFile('train.py', module), { ...options, rules: [{ ...rule, check }] });
  };
  const costs = (): RuleCost[] =>
    allRules
      .map(({ code }) => ({ code, share: (least.get(code) ?? 0) / (least.get('parse') ?? 1) }))
      .sort((a, b) => b.share - a.share);
  for (let round = 0; round < 3; round++) for (const rule of allRules) measure(rule);
  for (let again = 0; again < 12; again++) {
    const dear = new Set(costs().flatMap(({ code, share }) => (share > ruleCostBar / 2 ? [code] : [])));
    for (const rule of allRules) if (dear.has(rule.code)) measure(rule);
  }
  return costs();
}

/** `rule cost: worst AC301 4.2 % of the parse (bar 10 %): pass`, and the next ones. */
export function ruleCostLine(costs: readonly RuleCost[]): string {
  const [worst, ...others] = costs;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const verdict = (worst?.share ?? 0) <= ruleCostBar ? 'pass' : 'FAIL';
  const next = others.slice(0, 3).map(({ code, share }) => `${code} ${percent(share)}`);
  return `rule cost: worst ${worst?.code} ${percent(worst?.share ?? 0)} of the parse (bar ${100 * ruleCostBar} %): ${verdict}; then ${next.join(', ')}`;
}

/** Time this process has computed: other programs on the machine take none of it. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const options: Omit<LintOptions, 'rules'> = {
  versions: {},
  severities: {},
  onCrash(rule, error) {
    throw new Error(rule.code, { cause: error });
  },
};
