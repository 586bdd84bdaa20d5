import type { ConfigFile } from '../config/configFile.ts';
import { callIndex } from '../python/calls.ts';
import { type Enclosing, enclosing } from '../python/enclosing.ts';
import { type CheckpointSite, checkpointSites } from '../sites/checkpointSite.ts';
import { type Region, regionOf } from '../sites/region.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { isRelevant } from './relevant.ts';
import type { ConfigContext, Diagnostic, Finding, LintContext, Rule, Severity } from './rule.ts';
import { isSuppressed, suppressionsOf } from './suppress.ts';

export interface LintOptions {
  readonly rules: readonly Rule[];
  readonly versions: Versions;
  readonly workspace?: Workspace | undefined;
  /** By rule code; a rule that is not named keeps its own severity. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** A rule threw: that is a fault of ours. The other rules still report. */
  onCrash(rule: Rule, error: unknown): void;
}

/** Runs all rules over one file. */
export function lint(file: SourceFile, options: LintOptions): Diagnostic[] {
  const { module } = file;
  if (!isRelevant(module.text)) return [];
  const context = contextOf(file, options);
  const found = options.rules.flatMap((rule) => findingsOf(rule, () => rule.check?.(context) ?? [], options));
  return reported(found, { text: module.text, unreliable: module.unreliable, comments: () => module.comments });
}

/** Runs all rules over one configuration file. */
export function lintConfig(file: ConfigFile, options: LintOptions): Diagnostic[] {
  const context: ConfigContext = { file, workspace: options.workspace, versions: options.versions };
  const found = options.rules.flatMap((rule) => findingsOf(rule, () => rule.checkConfig?.(context) ?? [], options));
  return reported(found, file);
}

/** Without what stands in code that could not be read, and what a comment silences; in source order. */
function reported(
  found: Diagnostic[],
  { text, unreliable, comments }: Pick<ConfigFile, 'text' | 'unreliable' | 'comments'>,
): Diagnostic[] {
  if (found.length === 0) return found;
  const lines = new LineIndex(text);
  const suppressions = suppressionsOf(comments(), lines);
  return found
    .filter(({ at }) => !unreliable.some((span) => overlaps(span, at)))
    .filter((diagnostic) => !isSuppressed(diagnostic, suppressions, lines))
    .sort((a, b) => a.at.start - b.at.start || a.code.localeCompare(b.code));
}

function contextOf(file: SourceFile, { versions, workspace }: LintOptions): LintContext {
  const { module, names } = file;
  const calls = callIndex(module, names);
  const regions = new Map<CheckpointSite, Region>();
  const surroundings = new Map<number, Enclosing>();
  return {
    file,
    module,
    names,
    calls,
    sites: checkpointSites(file, calls),
    workspace,
    versions,
    around({ start }) {
      const known = surroundings.get(start) ?? enclosing(module, start);
      surroundings.set(start, known);
      return known;
    },
    region(site) {
      const known = regions.get(site) ?? regionOf(site, file, workspace);
      regions.set(site, known);
      return known;
    },
  };
}

function findingsOf(rule: Rule, check: () => Iterable<Finding>, { severities, onCrash }: LintOptions): Diagnostic[] {
  const asked = severities[rule.code];
  if (asked === 'off') return [];
  try {
    const { code, name } = rule;
    return Array.from(check(), (finding) => ({
      ...finding,
      code,
      name,
      severity: asked ?? finding.severity ?? rule.severity,
    }));
  } catch (error) {
    onCrash(rule, error);
    return [];
  }
}
