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
 * What each rule alone adds to names and sites on a file that was just parsed, dearest first. What several rules share counts
 * for each of them. Rules take turns and the quickest time of each counts, since noise only ever adds; a rule that looks dear
 * is measured again before that is said.
 */
export function ruleCosts(text: string): readonly RuleCost[] {
  const quickest = new Map<string, number>();
  const note = (key: string, milliseconds: number): void => {
    quickest.set(key, Math.min(quickest.get(key) ?? Number.POSITIVE_INFINITY, milliseconds));
  };
  const measure = (key: string, rules: readonly Rule[]): void => {
    const started = performance.now();
    // Anew each time: what is found out about a tree is kept with it.
    const module = parsePython(text);
    const parsed = performance.now();
    lint(sourceFile('train.py', module), { ...options, rules });
    note('parse', parsed - started);
    note(key, performance.now() - parsed);
  };
  const costs = (): RuleCost[] => {
    const [parse = 1, none = 0] = [quickest.get('parse'), quickest.get('none')];
    return allRules
      .map(({ code }) => ({ code, share: Math.max(0, (quickest.get(code) ?? 0) - none) / parse }))
      .sort((a, b) => b.share - a.share);
  };
  const measureAll = (rules: readonly Rule[], rounds: number): void => {
    for (let round = 0; round < rounds; round++) {
      measure('none', []);
      for (const rule of rules) measure(rule.code, [rule]);
    }
  };
  measureAll(allRules, 4);
  for (let again = 0; again < 4; again++) {
    const dear = new Set(costs().flatMap(({ code, share }) => (share > ruleCostBar / 2 ? [code] : [])));
    measureAll(
      allRules.filter(({ code }) => dear.has(code)),
      6,
    );
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

const options: Omit<LintOptions, 'rules'> = {
  versions: {},
  severities: {},
  onCrash(rule, error) {
    throw new Error(rule.code, { cause: error });
  },
};
