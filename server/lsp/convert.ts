import type { Diagnostic as ProtocolDiagnostic } from 'vscode-languageserver';
import { DiagnosticSeverity, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Severity } from '../core/lint/rule.ts';
import type { Span } from '../core/text/span.ts';

/** The one place that turns the core's offsets and words into the protocol's. */
export const diagnosticSource = 'checkpoint-lens';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export const toRange = (document: TextDocument, span: Span): Range => ({
  start: document.positionAt(span.start),
  end: document.positionAt(span.end),
});

export const toSpan = (document: TextDocument, range: Range): Span => ({
  start: document.offsetAt(range.start),
  end: document.offsetAt(range.end),
});

/** `href` is where the code leads, in clients that make it a link. */
export const toDiagnostic = (
  range: Range,
  diagnostic: Pick<Diagnostic, 'code' | 'severity' | 'message'>,
  href: string | undefined,
): ProtocolDiagnostic => ({
  range,
  severity: severities[diagnostic.severity],
  code: diagnostic.code,
  ...(href === undefined ? {} : { codeDescription: { href } }),
  source: diagnosticSource,
  message: diagnostic.message,
});

/** The file a URI names, with `/` between folders; for other schemes the path part, which names no file on disk. */
export function pathOf(uri: string): string {
  const path = uri.replace(/^[\w+.-]+:\/\/[^/]*/, '');
  try {
    // Windows: file:///c%3A/train.py is c:/train.py.
    return decodeURIComponent(path).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    return path;
  }
}

/** The URI of a file on disk. */
export const uriOf = (path: string): string =>
  `file://${path.startsWith('/') ? '' : '/'}${path.split('/').map(encodeURIComponent).join('/')}`;
