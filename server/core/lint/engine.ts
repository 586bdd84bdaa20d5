import type { ConfigFile } from '../config/configFile.ts';
import type { Statement } from '../python/ast.ts';
import { callIndex } from '../python/calls.ts';
import { type Enclosing, enclosing } from '../python/enclosing.ts';
import { oncePer } from '../python/oncePer.ts';
import { statementAt } from '../python/walk.ts';
import { type CheckpointSite, checkpointSites } from '../sites/checkpointSite.ts';
import { type LastingRegion, lastingRegion } from '../sites/lastingRegion.ts';
import { sitesWhere } from '../sites/sitesWhere.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { hasRelevantWord } from './relevant.ts';
import type { CommentContext, ConfigContext, Diagnostic, Finding, LintContext, Rule, Severity } from './rule.ts';
import { mayAskForSilence, type Suppression, silences, suppressionsOf } from './suppress.ts';

export interface LintOptions {
  readonly rules: readonly Rule[];
  readonly versions: Versions;
  readonly workspace?: Workspace | undefined;
  /** By rule code; a rule that is not named keeps its own severity. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** Some rules were left out: nobody can say then that a comment which silences all of them silences nothing. */
  readonly isNarrowed?: boolean;
  /** Stands in for a rule that takes long: `check` looks, but what was found a moment ago may do. */
  slow?(rule: Rule, check: () => readonly Finding[]): readonly Finding[];
  /** A rule threw: that is a fault of ours. The other rules still report. */
  onCrash(rule: Rule, error: unknown): void;
}

/** Runs all rules over one file; whether that is worth while is for the caller to judge. */
export function lint(file: SourceFile, options: LintOptions): Diagnostic[] {
  const { module } = file;
  if (!hasRelevantWord(module.text)) return [];
  const context = contextOf(file, options);
  const results = options.rules.map((rule) => resultOf(rule, rule.check && (() => rule.check?.(context)), options));
  const { text, unreliable } = module;
  return reported(results, { text, unreliable, comments: () => module.comments }, options);
}

/** Runs all rules over one configuration file. */
export function lintConfig(file: ConfigFile, options: LintOptions): Diagnostic[] {
  const context: ConfigContext = { file, workspace: options.workspace, versions: options.versions };
  const results = options.rules.map((rule) =>
    resultOf(rule, rule.checkConfig && (() => rule.checkConfig?.(context)), options),
  );
  return reported(results, file, options);
}

/** Without what stands in code that could not be read, and what a comment silences; in source order. */
function reported(
  results: readonly RuleResult[],
  { text, unreliable, comments }: Pick<ConfigFile, 'text' | 'unreliable' | 'comments'>,
  options: LintOptions,
): Diagnostic[] {
  const readable = ({ at }: Diagnostic): boolean => !unreliable.some((span) => overlaps(span, at));
  const found = results.flatMap(({ found }) => found).filter(readable);
  if (!mayAskForSilence(text)) return inSourceOrder(found);
  const lines = new LineIndex(text);
  const asked = suppressionsOf(comments()).map((suppression) => ({
    suppression,
    silenced: found.filter((diagnostic) => silences(suppression, diagnostic, lines)),
  }));
  const silenced = new Set(asked.flatMap(({ silenced }) => silenced));
  const heard = found.filter((diagnostic) => !silenced.has(diagnostic));
  // Code that cannot be read hides findings: what looks unused may not be.
  if (unreliable.length > 0) return inSourceOrder(heard);
  const context: CommentContext = {
    text,
    asked,
    ran: results.flatMap(({ rule, hasRun }) => (hasRun ? [rule] : [])),
    isComplete: options.isNarrowed !== true && results.every(({ hasRun }) => hasRun),
  };
  const aboutComments = options.rules.flatMap(
    (rule) => resultOf(rule, rule.checkComments && (() => rule.checkComments?.(context)), options).found,
  );
  // A comment that silences everything would silence that it is superfluous.
  const isMeant = ({ rules }: Suppression): boolean => rules !== undefined;
  const about = aboutComments.filter(
    (one) => !asked.some(({ suppression }) => isMeant(suppression) && silences(suppression, one, lines)),
  );
  return inSourceOrder([...heard, ...about]);
}

const inSourceOrder = (found: readonly Diagnostic[]): Diagnostic[] =>
  found.toSorted((a, b) => a.at.start - b.at.start || a.code.localeCompare(b.code));

function contextOf(file: SourceFile, { versions, workspace }: LintOptions): LintContext {
  const { module, names } = file;
  const calls = callIndex(module, names);
  const sites = checkpointSites(file, calls);
  const regions = new Map<CheckpointSite, LastingRegion>();
  return {
    file,
    module,
    names,
    calls,
    sites,
    sitesWhere: (kind, isMeant) => sitesWhere(sites, names, kind, isMeant),
    workspace,
    versions,
    around({ start }) {
      const statement = statementAt(module.body, start);
      if (statement === undefined) return enclosing(module, start);
      const known = surroundingsWithin(statement);
      const offset = start - statement.start;
      const around = known.get(offset) ?? enclosing(module, start);
      known.set(offset, around);
      return around;
    },
    region(site) {
      const known = regions.get(site) ?? lastingRegion(site, file, workspace);
      if (known.lasts !== undefined) regions.set(site, known);
      if (known.lasts === false) names.holdsForNow();
      return known.region;
    },
  };
}

/** What stands around places of a statement at the top of a module, by where they are in it: it may be moved as a whole. */
const surroundingsWithin = oncePer((_: Statement) => new Map<number, Enclosing>());

interface RuleResult {
  readonly rule: Rule;
  readonly found: readonly Diagnostic[];
  /** Not switched off, and not failed. */
  readonly hasRun: boolean;
}

/** A rule that says nothing about this kind of file has looked at it and found nothing. */
function resultOf(
  rule: Rule,
  check: (() => Iterable<Finding> | undefined) | undefined,
  { severities, slow, onCrash }: LintOptions,
): RuleResult {
  const asked = severities[rule.code];
  if (asked === 'off') return { rule, found: [], hasRun: false };
  if (check === undefined) return { rule, found: [], hasRun: true };
  try {
    const { code, name } = rule;
    const look = (): readonly Finding[] => Array.from(check() ?? []);
    const findings = rule.takesLong === true && slow !== undefined ? slow(rule, look) : look();
    const found = findings.map(({ at, about, message, fixes, severity }) => {
      return { at, about, message, fixes, code, name, severity: asked ?? severity ?? rule.severity };
    });
    return { rule, found, hasRun: true };
  } catch (error) {
    onCrash(rule, error);
    return { rule, found: [], hasRun: false };
  }
}
