import type { Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../core/text/span.ts';
import { toRange } from './convert.ts';

/** Where spans of an analysed text lie in the client's documents: that text's own, or the cells of a notebook. */
export interface Places {
  /** Undefined where no one document has the span. */
  at(span: Span): { readonly uri: string; readonly range: Range } | undefined;
}

export const placesIn = (document: TextDocument): Places => ({
  at: (span) => ({ uri: document.uri, range: toRange(document, span) }),
});
