import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { applyAction, codeActions, openDemo, openText, ourDiagnostics, until, untilFindings } from './editor.ts';

const start = 'from torch.utils.checkpoint import checkpoint\n';

describe('fixes', () => {
  it('offer both variants, the one that torch recommends first', async () => {
    const document = await openText(`${start}x = checkpoint(f, x)\n`);
    const fixes = await quickFixes(document);
    assert.deepEqual(
      fixes.map(({ title, isPreferred }) => ({ title, isPreferred: isPreferred === true })),
      [
        { title: 'Add use_reentrant=False', isPreferred: true },
        { title: "Add use_reentrant=True (keeps today's behaviour)", isPreferred: false },
      ],
    );
  });

  for (const [name, before, after] of [
    ['a plain call', 'x = checkpoint(f, x)', 'x = checkpoint(f, x, use_reentrant=False)'],
    ['a trailing comma', 'x = checkpoint(f, x,)', 'x = checkpoint(f, x, use_reentrant=False,)'],
    ['star arguments', 'x = checkpoint(f, *args)', 'x = checkpoint(f, *args, use_reentrant=False)'],
    ['a literal None', 'x = checkpoint(f, x, use_reentrant=None)', 'x = checkpoint(f, x, use_reentrant=False)'],
  ] as const) {
    it(`change ${name} and nothing else`, async () => {
      const document = await openText(`${start}${before}\n`);
      await applyAction((await quickFixes(document))[0]!);
      assert.equal(document.getText(), `${start}${after}\n`);
      await untilFindings(document, []);
    });
  }

  it('change a call over several lines and keep its comments', async () => {
    const document = await openText(`${start}x = checkpoint(\n    f,\n    x,  # kept\n)\n`);
    await applyAction((await quickFixes(document))[0]!);
    assert.match(document.getText(), /\n {4}x, {2}# kept\n {4}use_reentrant=False,\n\)\n$/);
    await untilFindings(document, []);
  });

  it('fix a whole file at once', async () => {
    const document = await openDemo('train.py');
    await until('findings', () => ourDiagnostics(document).length === 2 || undefined);
    const everything = new vscode.Range(0, 0, document.lineCount, 0);
    const fixAll = await until('fix all', async () =>
      (await codeActions(document, everything)).find(
        ({ kind }) => kind !== undefined && vscode.CodeActionKind.SourceFixAll.append('checkpointLens').contains(kind),
      ),
    );
    assert.equal(fixAll.title, 'Fix all Checkpoint Lens findings in this file');
    await applyAction(fixAll);
    assert.equal(document.getText().match(/use_reentrant=False/g)?.length, 2);
    await untilFindings(document, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});

/** The fixes at the first finding, as the light bulb lists them. */
async function quickFixes(document: vscode.TextDocument): Promise<vscode.CodeAction[]> {
  const diagnostic = await until('a finding', () => ourDiagnostics(document)[0]);
  return until('quick fixes', async () => {
    const actions = await codeActions(document, diagnostic.range);
    const fixes = actions.filter(({ kind }) => kind !== undefined && vscode.CodeActionKind.QuickFix.contains(kind));
    const ours = fixes.filter(({ title }) => title.includes('use_reentrant'));
    return ours.length > 0 ? ours : undefined;
  });
}
