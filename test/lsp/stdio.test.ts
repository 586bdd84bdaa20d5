import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connectProcess } from '../support/lspClient.ts';

test('checkpoint-lens lsp --stdio serves a client from start to exit', async () => {
  const client = await connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], { pullsSettings: false });
  try {
    assert.deepEqual(client.capabilities.codeActionProvider, {
      codeActionKinds: [
        'quickfix',
        'source.fixAll.checkpointLens',
        'notebook.source.fixAll.checkpointLens',
        'refactor.rewrite.checkpointLens',
      ],
    });
    const file = await client.open('train.py', 'import torch.utils.checkpoint as cp\ny = cp.checkpoint(f, x)\n');
    const [diagnostic] = await file.diagnostics();
    assert.equal(diagnostic?.code, 'AC101');
    const [fix] = await file.codeActions(diagnostic.range);
    assert.equal(
      file.after(fix),
      'import torch.utils.checkpoint as cp\ny = cp.checkpoint(f, x, use_reentrant=False)\n',
    );
    assert.match((await file.hoverAt('cp.checkpoint(')) ?? '', /reentrant/);
    await file.type('(f, x)', '(f, x, use_reentrant=True)');
    assert.deepEqual(await file.diagnostics(), []);
    const exited = once(client.process, 'exit');
    await client.close();
    assert.deepEqual(await exited, [0, null]);
  } finally {
    // A failed assertion must not leave a server behind that keeps the run alive.
    client.process.kill();
  }
});
