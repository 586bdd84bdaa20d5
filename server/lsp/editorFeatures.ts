import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Settings } from '../core/settings.ts';
import type { Analyses } from './analysis.ts';
import { toSpan } from './convert.ts';
import { codeLenses } from './features/codeLenses.ts';
import { completions } from './features/completions.ts';
import { documentLinks } from './features/documentLinks.ts';
import { inlayHints } from './features/inlayHints.ts';
import { placesIn } from './places.ts';
import type { RuleLinks } from './ruleLinks.ts';

/** What an editor shows beside findings, each asked for when a document is drawn. */
export interface EditorFeatures {
  readonly analyses: Analyses;
  /** An open Python document; undefined for anything else. */
  python(uri: string): TextDocument | undefined;
  settingsOf(uri: string): Promise<Settings>;
  /** The client's own command that shows the memory panel. */
  panelCommand(): string | undefined;
  links(): RuleLinks;
  guarded<P, R>(feature: string, handle: (params: P) => R | Promise<R>): (params: P) => Promise<R | null>;
}

export const editorCapabilities: ServerCapabilities = {
  codeLensProvider: {},
  inlayHintProvider: true,
  documentLinkProvider: {},
  completionProvider: { triggerCharacters: ['(', ',', '.', '"', "'"] },
};

export function serveEditorFeatures(connection: Connection, features: EditorFeatures): void {
  const { analyses, python, settingsOf, panelCommand, links, guarded } = features;
  connection.onCodeLens(
    guarded('code lens', async ({ textDocument: { uri } }) => {
      const { codeLensEnabled } = await settingsOf(uri);
      const document = python(uri);
      if (document === undefined || !codeLensEnabled) return [];
      return codeLenses(analyses.of(document).facts(), placesIn(document), uri, panelCommand());
    }),
  );
  connection.languages.inlayHint.on(
    guarded('inlay hints', async ({ textDocument: { uri }, range }) => {
      const { inlayHintsEnabled } = await settingsOf(uri);
      const document = python(uri);
      if (document === undefined || !inlayHintsEnabled) return [];
      const analysis = analyses.of(document);
      return inlayHints({
        text: document.getText(),
        sites: analysis.sites(),
        facts: analysis.facts(),
        visible: toSpan(document, range),
        places: placesIn(document),
        uri,
      });
    }),
  );
  connection.onDocumentLinks(
    guarded('document links', ({ textDocument: { uri } }) => {
      const document = python(uri);
      if (document === undefined) return [];
      return documentLinks(document.getText(), () => analyses.of(document).module(), placesIn(document), links());
    }),
  );
  connection.onCompletion(
    guarded('completion', ({ textDocument: { uri }, position }) => {
      const document = python(uri);
      return document === undefined ? [] : completions(document.getText(), document.offsetAt(position));
    }),
  );
}
