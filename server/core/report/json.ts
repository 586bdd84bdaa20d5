import type { Fix } from '../lint/rule.ts';
import type { CheckReport } from './checkedFile.ts';
import { type ShownFile, shownFile } from './findingPlaces.ts';

/**
 * `check --format json`. A change that would break a reader of it raises `version`. In a notebook, lines and columns are of
 * the cell; its one-based number is `cell`, which other files' findings do not have.
 */
export function jsonReport({ files, withFindings }: CheckReport): string {
  const findings = withFindings.flatMap((file) => {
    const shown = shownFile(file);
    return shown.diagnostics.map(({ at, code, name, severity, message, fixes }) => {
      const { cell, startLine, startColumn, endLine, endColumn } = shown.place(at);
      return {
        path: file.path,
        ...(cell !== undefined && { cell }),
        line: startLine,
        column: startColumn,
        endLine,
        endColumn,
        code,
        name,
        severity,
        message,
        fixes: fixes.map((fix) => fixAsJson(shown, fix)),
      };
    });
  });
  return `${JSON.stringify({ version: 1, files, findings }, null, 2)}\n`;
}

const fixAsJson = ({ place }: ShownFile, { title, preferred, edits }: Fix) => ({
  title,
  preferred,
  edits: edits.map(({ span, text }) => {
    const { cell, startLine, startColumn, endLine, endColumn } = place(span);
    const start = { line: startLine, column: startColumn };
    return { ...(cell !== undefined && { cell }), start, end: { line: endLine, column: endColumn }, text };
  }),
});
