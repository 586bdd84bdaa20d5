import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction, Range, TextDocumentEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ChosenStrategy } from '../../server/core/apply/chosen.ts';
import { type ApplyStrategyAnswer, applyStrategyMethod } from '../../server/protocol.ts';
import { type Client, connect, type OpenFile } from '../support/lspClient.ts';

const model = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
`;
const full: ChosenStrategy = { name: 'full', segment: 1 };

const apply = (client: Client, { uri }: OpenFile, strategy: ChosenStrategy, layers?: number) =>
  client.request<ApplyStrategyAnswer>(applyStrategyMethod, { uri, strategy, ...(layers !== undefined && { layers }) });

function edited(file: OpenFile, answer: ApplyStrategyAnswer): string {
  assert.ok(answer.kind === 'edits', JSON.stringify(answer));
  return TextDocument.applyEdits(TextDocument.create(file.uri, 'python', 1, file.text()), [...answer.edits]);
}

const rangeOf = (text: string, needle: string): Range => {
  const document = TextDocument.create('', 'python', 1, text);
  const at = document.positionAt(text.indexOf(needle));
  return { start: at, end: at };
};

const rewrites = async (file: OpenFile, needle: string): Promise<readonly CodeAction[]> =>
  (await file.codeActions(rangeOf(file.text(), needle), ['refactor'])) ?? [];

test('a strategy comes as edits of the version that is open, and changes nothing by itself', async () => {
  const client = await connect();
  const file = await client.open('model.py', model);
  const answer = await apply(client, file, full);
  assert.ok(answer.kind === 'edits');
  assert.equal(answer.label, 'Checkpoint every layer');
  assert.equal(answer.description, 'the loop over self.blocks');
  assert.deepEqual(
    answer.edits.map(({ newText }) => newText),
    ['\nfrom torch.utils.checkpoint import checkpoint', 'checkpoint(block, x, use_reentrant=False'],
  );
  assert.equal(file.text(), model);
  const text = edited(file, answer);
  assert.ok(text.includes('x = checkpoint(block, x, use_reentrant=False)'), text);
  await file.replaceAll(text);
  assert.deepEqual(await apply(client, file, full), { kind: 'already', what: 'the loop over self.blocks' });
  assert.equal(edited(file, await apply(client, file, { name: 'none', segment: 1 })), model);
  await client.close();
});

test('the panel’s number of layers counts where the file has none', async () => {
  const client = await connect();
  const file = await client.open('model.py', model);
  const sequential: ChosenStrategy = { name: 'sequential', segment: 2 };
  assert.equal((await apply(client, file, sequential)).kind, 'cannot');
  assert.ok(edited(file, await apply(client, file, sequential, 4)).includes('checkpoint_sequential(self.blocks, 2, x'));
  await client.close();
});

test('a loop and arguments are offered rewrites where the cursor is on them', async () => {
  const client = await connect();
  const file = await client.open('model.py', model);
  const actions = await rewrites(file, 'x = block(x)');
  assert.deepEqual(
    actions.map(({ title }) => title),
    [
      'Checkpoint every layer',
      'Checkpoint in segments of 2 layers',
      'Checkpoint selectively: save matrix products and attention',
    ],
  );
  assert.deepEqual(await rewrites(file, 'super()'), []);
  const [change] = (actions[0]?.edit?.documentChanges ?? []) as TextDocumentEdit[];
  assert.equal(change?.textDocument.version, 1);
  // VS Code would leave every box of a change that wants consent empty, and then apply nothing.
  assert.equal(actions[0]?.edit?.changeAnnotations, undefined);
  await client.close();
});

test('a settings file is changed like code', async () => {
  const client = await connect();
  const text = 'base_model: x/y\nsequence_len: 2048\nmicro_batch_size: 2\nadapter: lora\n';
  const file = await client.open('config.yaml', text, 'yaml');
  assert.ok(edited(file, await apply(client, file, full)).includes('gradient_checkpointing: true'));
  assert.deepEqual(
    (await rewrites(file, 'base_model')).map(({ title }) => title),
    ['Checkpoint every layer'],
  );
  await client.close();
});

test('what cannot be done says why', async () => {
  const client = await connect();
  const file = await client.open('model.py', 'import torch\nx = torch.zeros(3)\n');
  const answer = await apply(client, file, full);
  assert.ok(answer.kind === 'cannot' && answer.why.includes('recognised for certain'), JSON.stringify(answer));
  const closed = await client.request<ApplyStrategyAnswer>(applyStrategyMethod, {
    uri: 'file:///no.py',
    strategy: full,
  });
  assert.equal(closed.kind, 'cannot');
  await client.close();
});
