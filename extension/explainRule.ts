import * as vscode from 'vscode';
import { plainMarkdown } from '../server/core/report/plainMarkdown.ts';
import { type RuleListed, type RulePageParams, rulePageMethod, rulesMethod } from '../server/protocol.ts';
import type { ServerClient } from './client.ts';

/** Shows the page of the rule whose code it is given, or asks which one. */
export const explainCommand = 'checkpointLens.explainRule';

const pageScheme = 'checkpoint-lens-rule';

/** Absent where the extension that renders pages, which comes with VS Code, is switched off. */
export const rulePageScheme = (): string | undefined =>
  vscode.extensions.getExtension('vscode.markdown-language-features') && pageScheme;

export function registerExplainRule(client: ServerClient): vscode.Disposable {
  return vscode.Disposable.from(
    // Pages are documents that cannot be edited; what the manifest says of their names has them shown rendered.
    vscode.workspace.registerTextDocumentContentProvider(pageScheme, {
      async provideTextDocumentContent({ path }) {
        const params: RulePageParams = { code: path.replace(/^\/|\.md$/g, '') };
        return (
          (await client.request<string | null>(rulePageMethod, params)) ??
          vscode.l10n.t('There is no rule {0}.', params.code)
        );
      },
    }),
    vscode.commands.registerCommand(explainCommand, async (given?: unknown) => {
      const code = typeof given === 'string' ? given : await chosenRule(client);
      if (code !== undefined) await showPage(code);
    }),
  );
}

async function showPage(code: string): Promise<void> {
  const page = vscode.Uri.from({ scheme: pageScheme, path: `/${code}.md` });
  try {
    await vscode.commands.executeCommand('markdown.showPreview', page);
  } catch {
    // The preview belongs to an extension that comes with VS Code but can be switched off.
    await vscode.commands.executeCommand('vscode.openWith', page, 'default');
  }
}

async function chosenRule(client: ServerClient): Promise<string | undefined> {
  const chosen = await vscode.window.showQuickPick(choices(client), {
    title: vscode.l10n.t('Explain Rule'),
    placeHolder: vscode.l10n.t('Code, name or what it is about'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.label;
}

/** All rules, those with findings in the file being looked at first. */
async function choices(client: ServerClient): Promise<vscode.QuickPickItem[]> {
  const rules = await client.request<RuleListed[]>(rulesMethod);
  const uri = vscode.window.activeTextEditor?.document.uri;
  const codes = new Set(uri === undefined ? [] : vscode.languages.getDiagnostics(uri).map(codeOf));
  const here = rules.filter(({ code }) => codes.has(code));
  const others = rules.filter(({ code }) => !codes.has(code));
  if (here.length === 0) return others.map(itemOf);
  return [
    separator(vscode.l10n.t('in this file')),
    ...here.map(itemOf),
    separator(vscode.l10n.t('other rules')),
    ...others.map(itemOf),
  ];
}

const codeOf = ({ code }: vscode.Diagnostic): unknown => (typeof code === 'object' ? code.value : code);

const itemOf = ({ code, name, summary }: RuleListed): vscode.QuickPickItem => ({
  label: code,
  description: name,
  detail: plainMarkdown(summary),
});

const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
