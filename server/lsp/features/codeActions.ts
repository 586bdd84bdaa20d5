import { type CodeAction, CodeActionKind, type TextEdit as ProtocolEdit } from 'vscode-languageserver';
import { preferredEdits } from '../../core/lint/fixAll.ts';
import type { Diagnostic } from '../../core/lint/rule.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { Span } from '../../core/text/span.ts';
import { toDiagnostic } from '../convert.ts';
import type { Places } from '../places.ts';
import type { RuleLinks } from '../ruleLinks.ts';

export const fixAllKind = `${CodeActionKind.SourceFixAll}.checkpointLens`;
/** VS Code asks for these once for a notebook, and for those without `notebook.` in every cell. */
export const fixNotebookKind = `notebook.${fixAllKind}`;

/** One action that makes all preferred fixes of some findings. */
export interface FixAll {
  readonly kind: string;
  readonly title: string;
  readonly diagnostics: readonly Diagnostic[];
}

export const fixFile = (diagnostics: readonly Diagnostic[]): FixAll => ({
  kind: fixAllKind,
  title: 'Fix all Checkpoint Lens findings in this file',
  diagnostics,
});

/**
 * Quick fixes and explanations for the findings a span touches, and actions for all preferred fixes at once. They are taken from the current
 * version of the text, never from what the client remembers, so an edit can not land in the wrong place.
 */
export function codeActions(
  places: Places,
  diagnostics: readonly Diagnostic[],
  touched: Span,
  only: readonly string[] | undefined,
  all: readonly FixAll[],
  links: RuleLinks,
): CodeAction[] {
  const wanted = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];

  if (wanted(CodeActionKind.QuickFix)) {
    const { start, end } = touched;
    const seen = new Set<string>();
    const explanations = new Map<string, CodeAction>();
    for (const diagnostic of diagnostics.filter(({ at }) => at.start <= end && start <= at.end)) {
      const range = places.at(diagnostic.at)?.range;
      if (range === undefined) continue;
      const about = [toDiagnostic(range, diagnostic, links.href(diagnostic.code))];
      const command = links.explain(diagnostic.code);
      if (command !== undefined) {
        const { title } = command;
        explanations.set(diagnostic.code, { title, kind: CodeActionKind.QuickFix, diagnostics: about, command });
      }
      for (const { title, preferred, edits } of diagnostic.fixes) {
        const edit = { changes: changesOf(edits, places) };
        const same = JSON.stringify([title, edit]);
        if (seen.has(same)) continue;
        seen.add(same);
        actions.push({
          title,
          kind: CodeActionKind.QuickFix,
          isPreferred: preferred,
          diagnostics: about,
          edit,
        });
      }
    }
    // What changes code comes first.
    actions.push(...explanations.values());
  }
  for (const { kind, title, diagnostics: some } of all) {
    const edits = wanted(kind) ? preferredEdits(some) : [];
    if (edits.length > 0) actions.push({ title, kind, edit: { changes: changesOf(edits, places) } });
  }
  return actions;
}

function changesOf(edits: readonly TextEdit[], places: Places): Record<string, ProtocolEdit[]> {
  const changes: Record<string, ProtocolEdit[]> = {};
  for (const { span, text } of edits) {
    const place = places.at(span);
    if (place === undefined) continue;
    changes[place.uri] ??= [];
    changes[place.uri]?.push({ range: place.range, newText: text });
  }
  return changes;
}
