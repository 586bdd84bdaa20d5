import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findings, openDemo, openText, ourDiagnostics, positionOf, replaceAll, untilFindings } from './editor.ts';

describe('findings', () => {
  it('mark every checkpoint call of the training script that leaves the variant open', async () => {
    const document = await openDemo('train.py');
    const first = positionOf(document, 'checkpoint(partial').line + 1;
    const second = positionOf(document, 'checkpoint(\n').line + 1;
    await untilFindings(document, [
      { code: 'AC101', line: first, underlined: 'checkpoint' },
      { code: 'AC101', line: second, underlined: 'checkpoint' },
    ]);
    const [diagnostic] = ourDiagnostics(document);
    assert.equal(diagnostic?.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(diagnostic.message, /use_reentrant/);
  });

  it('are errors where the call raises', async () => {
    const model = await openDemo('model.py');
    const line = positionOf(model, 'checkpoint(block, x, mask=mask').line + 1;
    await untilFindings(model, [{ code: 'AC102', line, underlined: 'mask=mask' }]);
    assert.equal(ourDiagnostics(model)[0]?.severity, vscode.DiagnosticSeverity.Error);
  });

  it('tell selective checkpointing under the reentrant variant from the right way', async () => {
    const document = await openDemo('selective.py');
    const line = positionOf(document, 'use_reentrant=True').line + 1;
    await untilFindings(document, [{ code: 'AC201', line, underlined: 'context_fn=keep_products' }]);
  });

  it('leave alone what is only called checkpoint', async () => {
    // A file with a finding, opened after it, says when the server has been past the first.
    const lookalikes = await openDemo('lookalikes.py');
    const sentinel = await openText('from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x)\n');
    await untilFindings(sentinel, [{ code: 'AC101', line: 2, underlined: 'checkpoint' }]);
    assert.deepEqual(findings(lookalikes), []);
  });

  it('follow the text while it is typed, broken or not', async () => {
    const call = 'from torch.utils.checkpoint import checkpoint\nx = checkpoint(f, x)\n';
    const document = await openText(call);
    await untilFindings(document, [{ code: 'AC101', line: 2, underlined: 'checkpoint' }]);
    for (const halfTyped of [
      'def f(:\n',
      'x = checkpoint(f,',
      '"""',
      'class',
      '\u0000',
      '\uFEFF(\t[{',
      'checkpoint(**',
    ]) {
      await replaceAll(document, `${call}${halfTyped}`);
    }
    await replaceAll(document, `\n\n${call}`);
    await untilFindings(document, [{ code: 'AC101', line: 4, underlined: 'checkpoint' }]);
    await replaceAll(document, '');
    await untilFindings(document, []);
  });

  it('go when they are suppressed', async () => {
    const document = await openText('from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x)\n');
    await untilFindings(document, [{ code: 'AC101', line: 2, underlined: 'checkpoint' }]);
    await replaceAll(document, 'from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x)  # noqa: AC101\n');
    await untilFindings(document, []);
  });
});
