import type { Diagnostic } from '../core/lint/rule.ts';
import type { Span } from '../core/text/span.ts';

/** Without the trees that spans may be part of: a report needs places, and the trees of all files are a lot of memory. */
export function plainDiagnostic({ code, name, severity, at, about, message, fixes }: Diagnostic): Diagnostic {
  return {
    code,
    name,
    severity,
    at: plainSpan(at),
    about: plainSpan(about),
    message,
    fixes: fixes.map(({ title, preferred, edits }) => ({
      title,
      preferred,
      edits: edits.map(({ span, text }) => ({ span: plainSpan(span), text })),
    })),
  };
}

const plainSpan = ({ start, end }: Span): Span => ({ start, end });
