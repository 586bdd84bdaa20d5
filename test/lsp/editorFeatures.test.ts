import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeLens, CompletionItem, DocumentLink, InlayHint } from 'vscode-languageserver';
import { connect } from '../support/lspClient.ts';

const script = `from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

config = GPT2Config(n_layer=24, n_embd=1024, n_head=16, n_positions=1024)
model = GPT2LMHeadModel(config)
args = TrainingArguments("out", per_device_train_batch_size=8, bf16=True, gradient_checkpointing=True)
tokens = tokenizer(texts, max_length=1024, truncation=True, padding="max_length")
Trainer(model, args, train_dataset=tokens).train()
`;

const lensesOf = (client: Awaited<ReturnType<typeof connect>>, uri: string) =>
  client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });

test('above the model stands what a step takes, above the switch what checkpointing changes', async () => {
  const client = await connect({ panelCommand: 'lens.panel' });
  const file = await client.open('train.py', script);
  const lenses = await lensesOf(client, file.uri);
  assert.deepEqual(
    lenses.map(({ range, command }) => [range.start.line, command?.command]),
    [
      [3, 'lens.panel'],
      [5, 'lens.panel'],
    ],
  );
  assert.match(lenses[0]!.command!.title, /^355 M parameters, about [\d.]+ GB for a step on one device$/);
  assert.match(
    lenses[1]!.command!.title,
    /^24 segments of 1 layer: [\d.]+ GB of activations instead of [\d.]+ GB, \+[\d.]+ % work$/,
  );
  await client.close();
});

test('no line is drawn over guesses, over nothing, or where a person does not want it', async () => {
  const client = await connect({ settings: { codeLens: { enabled: false } }, pullsSettings: true });
  assert.deepEqual(await lensesOf(client, (await client.open('train.py', script)).uri), []);
  await client.changeSettings({ codeLens: { enabled: true } });
  const unknownBatch = script.replace('per_device_train_batch_size=8, ', '').replace('max_length=1024', 'max_length=n');
  assert.deepEqual(await lensesOf(client, (await client.open('other.py', unknownBatch)).uri), []);
  assert.deepEqual(await lensesOf(client, (await client.open('empty.py', '')).uri), []);
  await client.close();
});

test('the variant a call takes is shown as if it were written, when asked for', async () => {
  const text = `from torch.utils.checkpoint import checkpoint
a = checkpoint(f, x)
b = checkpoint(f, x, use_reentrant=False)
c = checkpoint(f, x, use_reentrant=False, **options)
d = checkpoint(f, x, preserve_rng_state=False)
e = checkpoint(f, x, use_reentrant=False,  # because, well
)
g = checkpoint(f, x, use_reentrant=False  # because, well
)
`;
  const client = await connect({ settings: { inlayHints: { enabled: true } }, pullsSettings: true });
  const file = await client.open('train.py', text);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const params = { textDocument: { uri: file.uri }, range };
  const hints = await client.request<InlayHint[]>('textDocument/inlayHint', params);
  assert.deepEqual(
    hints.map(({ position, label }) => [position, label]),
    [
      [{ line: 1, character: 19 }, ', use_reentrant=True, preserve_rng_state=True'],
      [{ line: 2, character: 40 }, ', preserve_rng_state=True'],
      [{ line: 4, character: 45 }, ', use_reentrant=True'],
      [{ line: 6, character: 0 }, ' preserve_rng_state=True'],
      [{ line: 8, character: 0 }, ', preserve_rng_state=True'],
    ],
  );
  const trainer = await client.open(
    'hf.py',
    script.replace(
      'gradient_checkpointing=True',
      "gradient_checkpointing=True, gradient_checkpointing_kwargs={'use_reentrant': False}",
    ),
  );
  const [behind, ...more] = await client.request<InlayHint[]>('textDocument/inlayHint', {
    ...params,
    textDocument: { uri: trainer.uri },
  });
  assert.equal(behind?.label, 'non-reentrant');
  assert.deepEqual(more, []);
  await client.changeSettings({});
  assert.deepEqual(await client.request('textDocument/inlayHint', params), []);
  await client.close();
});

const complete = async (text: string): Promise<readonly string[]> => {
  const client = await connect();
  const at = text.indexOf('|');
  const file = await client.open('train.py', text.replace('|', ''));
  const before = text.slice(0, at).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  const items = await client.request<CompletionItem[]>('textDocument/completion', {
    textDocument: { uri: file.uri },
    position,
  });
  await client.close();
  return items.map(({ label }) => label);
};

test('half-written checkpoint calls are completed with what they may take', async () => {
  const start = 'from torch.utils.checkpoint import checkpoint as ckpt, checkpoint, CheckpointPolicy\n';
  assert.ok((await complete(`${start}y = checkpoint(f, x, use|`)).includes('use_reentrant=False'));
  assert.ok((await complete(`${start}y = ckpt(f, g(x), |`)).includes('context_fn='));
  const rest = await complete(`${start}y = checkpoint(f, x, use_reentrant=False, |)`);
  assert.ok(!rest.some((label) => label.startsWith('use_reentrant')));
  assert.ok((await complete(`${start}p = CheckpointPolicy.|`)).includes('MUST_SAVE'));
  assert.deepEqual(await complete('model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"|'), [
    '"use_reentrant": False',
    '"preserve_rng_state": True',
  ]);
});

test('nothing is offered in other calls, inside values or for functions of the same name', async () => {
  const start = 'from torch.utils.checkpoint import checkpoint\n';
  assert.deepEqual(await complete(`${start}print(x, |`), []);
  assert.deepEqual(await complete(`${start}y = checkpoint(f, [x, |`), []);
  assert.deepEqual(await complete(`${start}y = checkpoint(f, x, use_reentrant=|`), []);
  assert.deepEqual(await complete('from mine import checkpoint\ny = checkpoint(f, x, |'), []);
});

test('a value says what changing it would cost', async () => {
  const client = await connect({ readsMarkdown: true });
  const file = await client.open('train.py', script);
  assert.match(
    (await file.hoverAt('8, bf16'))!,
    /^\*\*Micro-batch 8\*\*: one sequence more takes about [\d.]+ [MG]B; a step now/,
  );
  assert.match((await file.hoverAt('24, n_embd'))!, /^\*\*Layers 24\*\*: one layer more takes about/);
  await client.close();
});

test('a model says what it takes, a switch what checkpointing saves, a policy what it does with an operation', async () => {
  const client = await connect({ readsMarkdown: true });
  const file = await client.open('train.py', script);
  assert.match(
    (await file.hoverAt('GPT2Config(n_layer'))!,
    /^\*\*GPT2Config\*\*: [\d.]+ M parameters; a step takes about .*\| Optimizer states \| /s,
  );
  assert.match(
    (await file.hoverAt('True)'))!,
    /24 segments of 1 layer\*\*: a step takes about [\d.]+ GB on one device, without checkpointing about [\d.]+ GB/,
  );
  const policies = await client.open(
    'policies.py',
    'from torch.utils.checkpoint import CheckpointPolicy as P\nfrom mine import Q\ndef policy(ctx, op):\n    return P.MUST_SAVE if op else Q.PREFER_SAVE\n',
  );
  assert.equal(
    await policies.hoverAt('MUST_SAVE'),
    '**MUST_SAVE**: Keeps the result; torch.compile may not change that',
  );
  assert.equal(await policies.hoverAt('PREFER_SAVE'), undefined);
  await client.close();
});

test('a rule that a comment silences leads to its page, what is no rule of ours to nothing', async () => {
  const client = await connect({
    explainCommand: 'lens.explain',
    rulePageScheme: 'checkpoint-lens-rule',
    linksCodes: true,
  });
  const text = `from torch.utils.checkpoint import checkpoint
y = checkpoint(f, x)  # checkpoint-lens: ignore[AC101, unused-loop]
z = checkpoint(f, x)  # noqa: F401, AC102
w = "# noqa: AC103"  # noqa
`;
  const file = await client.open('train.py', text);
  const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri: file.uri } });
  assert.deepEqual(
    links.map(({ range, target }) => [range.start.line, range.end.character - range.start.character, target]),
    [
      [1, 5, 'checkpoint-lens-rule:/AC101.md'],
      [2, 5, 'checkpoint-lens-rule:/AC102.md'],
    ],
  );
  assert.match(links[0]!.tooltip!, /^AC101: /);
  const plain = await client.open('plain.py', 'x = 1\n');
  assert.deepEqual(await client.request('textDocument/documentLink', { textDocument: { uri: plain.uri } }), []);
  await client.close();
});
