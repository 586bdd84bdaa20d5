import type { Module } from '../python/ast.ts';
import { type Names, namesOf } from '../python/names.ts';
import { checkpointSites } from '../sites/checkpointSite.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps } from '../text/span.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';
import type { Version } from '../torch/version.ts';
import type { Diagnostic, LintContext, Rule, Severity } from './rule.ts';
import { isSuppressed, suppressionsOf } from './suppress.ts';

export interface LintOptions {
  readonly rules: readonly Rule[];
  readonly torch: Version | undefined;
  /** By rule code; a rule that is not named keeps its own severity. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** A rule threw: that is a fault of ours. The other rules still report. */
  onCrash(rule: Rule, error: unknown): void;
}

/** Runs all rules over one module. Names can be handed in where they were needed for something else already. */
export function lint(
  module: Module,
  options: LintOptions,
  names: Names = namesOf(module, torchKnowledge),
): Diagnostic[] {
  if (!module.text.includes('checkpoint')) return [];
  const context: LintContext = { module, names, sites: checkpointSites(module, names), torch: options.torch };
  const found = options.rules.flatMap((rule) => findingsOf(rule, context, options));
  if (found.length === 0) return found;
  const lines = new LineIndex(module.text);
  const suppressions = suppressionsOf(module.comments, lines);
  return found
    .filter(({ at }) => !module.unreliable.some((span) => overlaps(span, at)))
    .filter((diagnostic) => !isSuppressed(diagnostic, suppressions, lines))
    .sort((a, b) => a.at.start - b.at.start || a.code.localeCompare(b.code));
}

function findingsOf(rule: Rule, context: LintContext, { severities, onCrash }: LintOptions): Diagnostic[] {
  const severity = severities[rule.code] ?? rule.severity;
  if (severity === 'off') return [];
  try {
    const { code, name } = rule;
    return Array.from(rule.check(context), (finding) => ({ ...finding, code, name, severity }));
  } catch (error) {
    onCrash(rule, error);
    return [];
  }
}
