import { type Hover, MarkupKind, type Range } from 'vscode-languageserver';
import type { RunFacts } from '../../core/facts/facts.ts';
import type { Diagnostic } from '../../core/lint/rule.ts';
import { keywordNamed } from '../../core/python/arguments.ts';
import type { Module } from '../../core/python/ast.ts';
import type { Names } from '../../core/python/names.ts';
import { factHover } from '../../core/report/factHover.ts';
import { plainMarkdown } from '../../core/report/plainMarkdown.ts';
import type { CheckpointSite } from '../../core/sites/checkpointSite.ts';
import { variantTable } from '../../core/sites/describeVariant.ts';
import type { Span } from '../../core/text/span.ts';
import type { Places } from '../places.ts';
import { policyHover } from './policyHover.ts';
import { ruleSummary } from './ruleSummary.ts';

/** What there is to say about a place in a text. */
export interface HoverSubjects {
  readonly places: Places;
  readonly sites: readonly CheckpointSite[];
  /** Absent for what is no Python. */
  readonly code?: { readonly module: Module; readonly names: Names } | undefined;
  readonly findings: readonly Diagnostic[];
  /** What the run's values mean for memory, and under which path their places are written. */
  readonly facts?: { readonly facts: RunFacts; readonly path: string } | undefined;
  /** Whether a comment may stand in the text. */
  readonly takesComments: boolean;
}

/**
 * What the variant of a checkpoint call does, on the call's name and on its `use_reentrant`; what a value or a policy written
 * there means; and of each finding that marks the place what its rule is about.
 */
export function hover(subjects: HoverSubjects, offset: number, readsMarkdown: boolean): Hover | undefined {
  const { places, takesComments } = subjects;
  const variant = variantAt(subjects, offset);
  const found = subjects.findings.filter(({ at }) => touches(at, offset));
  const rules = new Map(found.map((finding) => [finding.code, ruleSummary(finding, takesComments)]));
  const value = subjects.facts && factHover(subjects.facts.facts, subjects.facts.path, offset);
  const valueRange = value && places.at(value.at)?.range;
  const policy = subjects.code && policyHover(subjects.code.module, subjects.code.names, offset);
  const policyRange = policy && places.at(policy.at)?.range;
  const range =
    variant?.range ??
    valueRange ??
    policyRange ??
    found.map(({ at }) => places.at(at)?.range).find((one) => one !== undefined);
  if (range === undefined) return undefined;
  const texts = [variant?.text, valueRange && value?.markdown, policyRange && policy?.markdown].filter(
    (text) => text !== undefined,
  );
  const markdown = [...texts, ...rules.values()].join('\n\n---\n\n');
  const contents = readsMarkdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainMarkdown(markdown) };
  return { range, contents };
}

function variantAt({ places, sites }: HoverSubjects, offset: number): { text: string; range: Range } | undefined {
  for (const site of sites) {
    const argument = keywordNamed(site.given, 'use_reentrant');
    const spans =
      argument === undefined || argument.preset ? [site.call.callee] : [site.call.callee, argument.argument];
    const span = spans.find((one) => touches(one, offset));
    const range = span === undefined ? undefined : places.at(span)?.range;
    if (range !== undefined) return { text: variantTable(site), range };
  }
  return undefined;
}

const touches = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;
