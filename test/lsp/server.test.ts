import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../support/lspClient.ts';

const head = 'from torch.utils.checkpoint import checkpoint\n';

test('findings come with code, source, severity and exact range', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}y = checkpoint(f, x, mask=m)\n`);
  assert.deepEqual(
    (await file.diagnostics()).map(({ code, source, severity, range }) => ({ code, source, severity, range })),
    [
      { code: 'AC101', source: 'checkpoint-lens', severity: 2, range: range(1, 4, 14) },
      { code: 'AC102', source: 'checkpoint-lens', severity: 1, range: range(1, 21, 27) },
    ],
  );
  await client.close();
});

test('a quick fix makes its finding go away', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}y = checkpoint(f, x)\n`);
  const [diagnostic] = await file.diagnostics();
  assert.ok(diagnostic);
  const actions = await file.codeActions(diagnostic.range, ['quickfix']);
  assert.deepEqual(
    actions.map(({ title, isPreferred }) => [title, isPreferred]),
    [
      ['Add use_reentrant=False', true],
      ["Add use_reentrant=True (keeps today's behaviour)", false],
    ],
  );
  assert.equal(file.after(actions[1]), `${head}y = checkpoint(f, x, use_reentrant=True)\n`);
  const fixed = file.after(actions[0]);
  assert.equal(fixed, `${head}y = checkpoint(f, x, use_reentrant=False)\n`);
  await file.replaceAll(fixed);
  assert.deepEqual(await file.diagnostics(), []);
  await client.close();
});

test('fix-all changes everything that has a preferred fix, each place once', async () => {
  const client = await connect();
  const file = await client.open(
    'train.py',
    `${head}a = checkpoint(f, x)\nb = checkpoint(f, x, m=1)\nc = checkpoint(f, x, debug=True)\n`,
  );
  const actions = await file.codeActions(range(0, 0, 0), ['source.fixAll']);
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ['source.fixAll.checkpointLens'],
  );
  assert.equal(
    file.after(actions[0]),
    `${head}a = checkpoint(f, x, use_reentrant=False)\nb = checkpoint(f, x, m=1, use_reentrant=False)\nc = checkpoint(f, x, debug=True, use_reentrant=False)\n`,
  );
  await client.close();
});

test('only what is asked for is offered', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  const kinds = async (only: string[]): Promise<unknown[]> =>
    (await file.codeActions(range(1, 4, 4), only)).map(({ kind }) => kind);
  assert.deepEqual(await kinds(['refactor']), []);
  assert.deepEqual(await kinds(['source.organizeImports']), []);
  assert.deepEqual(await kinds(['source']), ['source.fixAll.checkpointLens']);
  assert.deepEqual(await kinds(['source.fixAll.checkpointLens']), ['source.fixAll.checkpointLens']);
  assert.deepEqual(await file.codeActions(range(0, 0, 0), ['quickfix']), []);
  await client.close();
});

test('the hover says which variant a call takes and why', async () => {
  const client = await connect();
  const file = await client.open(
    'train.py',
    `${head}a = checkpoint(f, x)\nb = checkpoint(g, x, use_reentrant=False)\nprint(a)\n`,
  );
  assert.match(
    (await file.hoverAt('checkpoint(f')) ?? '',
    /reentrant, because `use_reentrant` is not given[\s\S]*\| reentrant ← this call \| non-reentrant \|/,
  );
  assert.match(
    (await file.hoverAt('checkpoint(g')) ?? '',
    /non-reentrant, as given[\s\S]*\| reentrant \| non-reentrant ← this call \|/,
  );
  assert.match((await file.hoverAt('use_reentrant=False')) ?? '', /non-reentrant, as given/);
  assert.equal(await file.hoverAt('print'), undefined);
  await client.close();
});

test('incremental changes keep findings in place', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  await file.diagnostics();
  await file.type('from', '# a new first line\nfrom');
  await file.type('a = ', 'abc = ');
  assert.deepEqual(
    (await file.diagnostics()).map((one) => one.range),
    [range(2, 6, 16)],
  );
  await client.close();
});

test('half-typed code is answered with silence, then findings return', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  assert.equal((await file.diagnostics()).length, 1);
  await file.type('x)', 'x');
  assert.deepEqual(await file.diagnostics(), []);
  assert.deepEqual(await file.codeActions(range(1, 4, 4)), []);
  await file.type('(f, x', '(f, x)');
  assert.equal((await file.diagnostics()).length, 1);
  await client.close();
});

test('settings change severities, switch rules off and name the torch version', async () => {
  const client = await connect({ settings: { rules: { AC101: 'hint' } } });
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  assert.deepEqual(
    (await file.diagnostics()).map(({ severity }) => severity),
    [4],
  );
  const afterSettings = async (settings: unknown): Promise<number> => {
    await client.changeSettings(settings);
    await file.type('a =', 'a  =');
    await file.type('a  =', 'a =');
    return (await file.diagnostics()).length;
  };
  assert.equal(await afterSettings({ rules: { AC101: 'off' } }), 0);
  assert.equal(await afterSettings({ lint: { enabled: false } }), 0);
  assert.equal(await afterSettings({ torchVersion: '1.10' }), 0);
  assert.equal(await afterSettings({ rules: 7, torchVersion: [], lint: 'yes' }), 1);
  await client.close();
});

test('a client that cannot be asked for settings gets the defaults and may push its own', async () => {
  const client = await connect({ pullsSettings: false });
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  assert.equal((await file.diagnostics()).length, 1);
  await client.changeSettings({ rules: { AC101: 'off' } });
  await file.type('a =', 'b =');
  assert.deepEqual(await file.diagnostics(), []);
  await client.close();
});

test('a closed file has no findings, and other languages never had', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${head}a = checkpoint(f, x)\n`);
  await file.diagnostics();
  await file.close();
  const notes = await client.open('notes.txt', `${head}a = checkpoint(f, x)\n`, 'plaintext');
  assert.deepEqual(await notes.codeActions(range(1, 4, 4)), []);
  await client.close();
});

test('a file of many megabytes is left alone without holding up the next one', async () => {
  const client = await connect();
  const huge = await client.open('huge.py', `${head}a = checkpoint(f, x)\n${'x = 1\n'.repeat(1_700_000)}`);
  const small = await client.open('small.py', `${head}a = checkpoint(f, x)\n`);
  assert.equal((await small.diagnostics()).length, 1);
  assert.deepEqual(await huge.diagnostics(), []);
  await client.close();
});

test('facts go only to a client that asks for them', async () => {
  const source = 'from transformers import GPT2Config\nconfig = GPT2Config(n_layer=24)\n';
  const plain = await connect();
  const unasked = await plain.open('model.py', source);
  await unasked.diagnostics();
  await unasked.hoverAt('GPT2Config');
  assert.equal(unasked.factsSoFar(), undefined);
  await plain.close();

  const client = await connect({ facts: true });
  const file = await client.open('model.py', source);
  const { facts, stale } = await file.facts();
  assert.equal(stale, false);
  assert.equal(facts?.model?.layers.value, 24);
  assert.deepEqual(facts?.model?.layers.origin, {
    kind: 'literal',
    place: {
      path: file.uri,
      span: { start: source.indexOf('24'), end: source.indexOf('24') + 2 },
      line: 2,
      column: 29,
    },
  });
  await client.close();
});

test('while a line is half written the last good facts stay, marked as stale', async () => {
  const client = await connect({ facts: true });
  const file = await client.open('model.py', 'from transformers import GPT2Config\nconfig = GPT2Config(n_layer=24)\n');
  await file.facts();
  await file.type('24)', '24, n_head=');
  const half = await file.facts();
  assert.equal(half.stale, true);
  assert.equal(half.facts?.model?.layers.value, 24);
  await file.type('n_head=', 'n_head=16)');
  const whole = await file.facts();
  assert.equal(whole.stale, false);
  assert.equal(whole.facts?.model?.heads.value, 16);
  await client.close();
});

test('while a setting is half written the values stay that its call says; one that is deleted goes', async () => {
  const script = `from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
model = AutoModelForCausalLM.from_pretrained('gpt2')
args = TrainingArguments(
    'out',
    per_device_train_batch_size=4,
    gradient_checkpointing=True,
    bf16=True,
)
Trainer(model=model, args=args)
`;
  for (const broken of ['', 'print "for another Python"\n']) {
    const client = await connect({ facts: true });
    const file = await client.open('train.py', script + broken);
    assert.equal((await file.facts()).facts?.run.batch.value, 4);
    await file.type('size=4,', 'size=4');
    const half = await file.facts();
    assert.deepEqual([half.stale, half.facts?.run.batch.value], [true, 4]);
    assert.equal(half.facts?.run.checkpointing.value.mode, 'full');
    await file.type('size=4', 'size=16,');
    const whole = await file.facts();
    assert.deepEqual([whole.stale, whole.facts?.run.batch.value], [false, 16]);
    await file.type('    gradient_checkpointing=True,\n', '');
    const deleted = await file.facts();
    assert.deepEqual([deleted.stale, deleted.facts?.run.checkpointing.value.mode], [false, 'none']);
    await client.close();
  }
});

function range(line: number, start: number, end: number) {
  return { start: { line, character: start }, end: { line, character: end } };
}
