import type * as vscode from 'vscode';
import { type LanguageClientOptions, State } from 'vscode-languageclient';
import type { InitializationOptions } from '../server/protocol.ts';
import type { ServerState } from './client.ts';
import { configurationDocuments, pythonDocuments } from './documents.ts';
import { explainCommand, rulePageScheme } from './explainRule.ts';

/** What a server is told and asked, wherever it runs. */
export function clientOptions(output: vscode.LogOutputChannel): LanguageClientOptions {
  const scheme = rulePageScheme();
  const initializationOptions: InitializationOptions = {
    facts: true,
    explainCommand,
    ...(scheme !== undefined && { rulePageScheme: scheme }),
    panelCommand: 'checkpointLens.openPanel',
  };
  return {
    documentSelector: [...pythonDocuments(), ...configurationDocuments()],
    outputChannel: output,
    initializationOptions,
  };
}

export function stateOf(state: State): ServerState {
  if (state === State.Running) return 'running';
  return state === State.Stopped ? 'stopped' : 'starting';
}
