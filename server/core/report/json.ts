import type { Fix } from '../lint/rule.ts';
import { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import { type CheckReport, regionOf } from './checkedFile.ts';

/** `check --format json`. A change that would break a reader of it raises `version`. */
export function jsonReport({ files, withFindings }: CheckReport): string {
  const findings = withFindings.flatMap(({ path, text, diagnostics }) => {
    const lines = new LineIndex(text);
    return diagnostics.map(({ at, code, name, severity, message, fixes }) => {
      const { startLine, startColumn, endLine, endColumn } = regionOf(lines, at);
      return {
        path,
        line: startLine,
        column: startColumn,
        endLine,
        endColumn,
        code,
        name,
        severity,
        message,
        fixes: fixes.map((fix) => fixAsJson(lines, fix)),
      };
    });
  });
  return `${JSON.stringify({ version: 1, files, findings }, null, 2)}\n`;
}

const fixAsJson = (lines: LineIndex, { title, preferred, edits }: Fix) => ({
  title,
  preferred,
  edits: edits.map(({ span, text }) => ({ ...startAndEnd(lines, span), text })),
});

function startAndEnd(lines: LineIndex, span: Span) {
  const { startLine, startColumn, endLine, endColumn } = regionOf(lines, span);
  return { start: { line: startLine, column: startColumn }, end: { line: endLine, column: endColumn } };
}
