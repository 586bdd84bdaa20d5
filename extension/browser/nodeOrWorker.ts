import type * as vscode from 'vscode';
import { activateWith, type TestApi } from '../activate.ts';

/**
 * The extension's entry: on the desktop and on remote machines in Node, on vscode.dev, github.dev and every other VS Code that
 * is a page alone in a web worker. Each way to a server is loaded only where it can run.
 */
export const activate = (context: vscode.ExtensionContext): TestApi =>
  activateWith(context, async (...given) => {
    const { createLanguageClient } =
      'importScripts' in globalThis ? await import('./languageClient.ts') : await import('../languageClient.ts');
    return createLanguageClient(...given);
  });

export { deactivate } from '../activate.ts';
