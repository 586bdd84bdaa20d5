import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { preferredEdits } from '../../core/lint/fixAll.ts';
import type { Diagnostic } from '../../core/lint/rule.ts';
import { toDiagnostic, toEdits, toSpan } from '../convert.ts';

export const fixAllKind = `${CodeActionKind.SourceFixAll}.checkpointLens`;

/**
 * Quick fixes for the findings a range touches, and one action for all preferred fixes of the file. They are taken from the
 * current version of the document, never from what the client remembers, so an edit can not land in the wrong place.
 */
export function codeActions(
  document: TextDocument,
  diagnostics: readonly Diagnostic[],
  range: Range,
  only: readonly string[] | undefined,
): CodeAction[] {
  const wanted = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  const change = (edits: ReturnType<typeof toEdits>) => ({ changes: { [document.uri]: edits } });

  if (wanted(CodeActionKind.QuickFix)) {
    const { start, end } = toSpan(document, range);
    const seen = new Set<string>();
    for (const diagnostic of diagnostics.filter(({ at }) => at.start <= end && start <= at.end)) {
      for (const { title, preferred, edits } of diagnostic.fixes) {
        const edit = change(toEdits(document, edits));
        const same = JSON.stringify([title, edit]);
        if (seen.has(same)) continue;
        seen.add(same);
        actions.push({
          title,
          kind: CodeActionKind.QuickFix,
          isPreferred: preferred,
          diagnostics: [toDiagnostic(document, diagnostic)],
          edit,
        });
      }
    }
  }
  const all = wanted(fixAllKind) ? preferredEdits(diagnostics) : [];
  if (all.length > 0) {
    const title = 'Fix all Checkpoint Lens findings in this file';
    actions.push({ title, kind: fixAllKind, edit: change(toEdits(document, all)) });
  }
  return actions;
}
