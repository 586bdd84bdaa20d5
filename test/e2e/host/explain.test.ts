import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeActions, openDemo, ourDiagnostics, until } from './editor.ts';

const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

/** VS Code as a page alone comes from npm with a Markdown preview that does not start, and then the page's text is shown. */
const rendersPages = vscode.env.uiKind === vscode.UIKind.Desktop || vscode.env.remoteName !== undefined;

describe('explain a rule', () => {
  it('shows its page rendered', async () => {
    const expected = rendersPages ? 'Preview AC102.md' : 'AC102.md';
    await vscode.commands.executeCommand('checkpointLens.explainRule', 'AC102');
    await until('the page', () => tabs().includes(expected) || undefined);
    const isPage = ({ uri, lineCount }: vscode.TextDocument) => uri.path === '/AC102.md' && lineCount > 1;
    const page = await until('its text', () => vscode.workspace.textDocuments.find(isPage));
    assert.match(page.getText(), /^# reentrant-keyword-arguments \(AC102\)/);
  });

  it('shows the page rendered behind the address that a finding’s code has', async function () {
    if (!rendersPages) return this.skip();
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse('checkpoint-lens-rule:/AC103.md'));
    const { input } = await until('its tab', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes('AC103.md')),
    );
    assert.ok(input instanceof vscode.TabInputCustom && /markdown\.preview/.test(input.viewType));
  });

  it('is what the code of a finding leads to, and an entry of its light bulb', async () => {
    const document = await openDemo('train.py');
    const diagnostic = await until('a finding', () => ourDiagnostics(document)[0]);
    const { value, target } = diagnostic.code as { value: string; target: vscode.Uri };
    assert.equal(target.toString(true), `checkpoint-lens-rule:/${value}.md`);
    const actions = await codeActions(document, diagnostic.range);
    const explain = actions.find(({ title }) => title === `Explain ${value}`);
    assert.equal(explain?.command?.command, 'checkpointLens.explainRule');
    assert.equal(explain?.edit, undefined);
  });
});
