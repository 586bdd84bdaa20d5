import { type InitializeParams, MarkupKind } from 'vscode-languageserver';
import { isRecord } from '../core/settings.ts';
import type { InitializationOptions } from '../protocol.ts';

/** What the client said in `initialize` that it can do, as far as the server acts on it. */
export interface ClientAbilities {
  /** It answers `workspace/configuration`. */
  readonly pullsSettings: boolean;
  readonly registersSettings: boolean;
  readonly registersWatchers: boolean;
  /** It tells when folders come to the workspace or go. */
  readonly tellsFolders: boolean;
  readonly readsMarkdown: boolean;
  /** It makes a link of a diagnostic's code. */
  readonly linksCodes: boolean;
  readonly wantsFacts: boolean;
  /** The client's own command that shows a rule's page. */
  readonly explainCommand: string | undefined;
  /** The scheme of the addresses under which the client shows rules' pages rendered. */
  readonly rulePageScheme: string | undefined;
  /** The client's own command that shows the memory panel. */
  readonly panelCommand: string | undefined;
}

export function abilitiesOf({
  capabilities,
  initializationOptions,
}: Pick<InitializeParams, 'capabilities' | 'initializationOptions'>): ClientAbilities {
  const { workspace, textDocument } = capabilities;
  const options: InitializationOptions = isRecord(initializationOptions) ? initializationOptions : {};
  return {
    pullsSettings: workspace?.configuration === true,
    registersSettings: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    registersWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    tellsFolders: workspace?.workspaceFolders === true,
    readsMarkdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) === true,
    linksCodes: textDocument?.publishDiagnostics?.codeDescriptionSupport === true,
    wantsFacts: options.facts === true,
    explainCommand: typeof options.explainCommand === 'string' ? options.explainCommand : undefined,
    rulePageScheme: typeof options.rulePageScheme === 'string' ? options.rulePageScheme : undefined,
    panelCommand: typeof options.panelCommand === 'string' ? options.panelCommand : undefined,
  };
}
