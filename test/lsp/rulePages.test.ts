import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { type RuleListed, rulePageMethod, rulesMethod } from '../../server/protocol.ts';
import { connect } from '../support/lspClient.ts';

const text = 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n';
const deepspeed =
  '{"zero_optimization": {"stage": 2}, "activation_checkpointing": {"contiguous_memory_optimization": true}}\n';
const ours = { linksCodes: true, explainCommand: 'lens.explain', rulePageScheme: 'checkpoint-lens-rule' };

test('a code leads to its page where the client can show it, to the web in other editors, nowhere in old ones', async () => {
  const hrefs = async (options: Parameters<typeof connect>[0]): Promise<unknown> => {
    const client = await connect(options);
    const [diagnostic] = await (await client.open('train.py', text)).diagnostics();
    await client.close();
    return diagnostic?.codeDescription;
  };
  assert.deepEqual(await hrefs(ours), { href: 'checkpoint-lens-rule:/AC101.md' });
  const { rulePageScheme: _, ...withoutPages } = ours;
  assert.deepEqual(await hrefs(withoutPages), { href: `command:lens.explain?${encodeURIComponent('["AC101"]')}` });
  assert.deepEqual(await hrefs({ linksCodes: true }), {
    href: 'https://github.com/checkpoint-lens/checkpoint-lens#rules',
  });
  assert.equal(await hrefs({ explainCommand: 'lens.explain' }), undefined);
});

test('codes lead to pages in settings files and in notebooks, too', async () => {
  const client = await connect(ours);
  const settings = await client.open('ds.json', deepspeed, 'json');
  assert.match((await settings.diagnostics())[0]?.codeDescription?.href ?? '', /^checkpoint-lens-rule:\/AC701\.md$/);
  const notebook = await client.openNotebook('train.ipynb', [text]);
  assert.match((await notebook.diagnostics(0))[0]?.codeDescription?.href ?? '', /^checkpoint-lens-rule:\/AC101\.md$/);
  await client.close();
});

test('a menu explains each rule once, behind the fixes, and changes nothing', async () => {
  const client = await connect(ours);
  const file = await client.open('train.py', `${text}z = checkpoint(f, x, use_reentrant=True, debug=True)\n`);
  const everything = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
  const actions = await file.codeActions(everything, ['quickfix']);
  const explain = actions.filter(({ command }) => command !== undefined);
  assert.deepEqual(
    explain.map(({ title, command, edit }) => ({ title, command, edit })),
    ['AC101', 'AC201'].map((code) => {
      const title = `Explain ${code}`;
      return { title, command: { title, command: 'lens.explain', arguments: [code] }, edit: undefined };
    }),
  );
  assert.deepEqual(actions.slice(-explain.length), explain);
  assert.ok(explain.every(({ isPreferred }) => isPreferred !== true));
  assert.deepEqual(await file.codeActions(everything, ['refactor']), []);
  await client.close();
});

test('a rule without a fix is explained all the same; a client without the command gets no such entry', async () => {
  const withoutFix = `${text.split('\n')[0]}\ny = checkpoint(f, x, use_reentrant=False, determinism_check="of")\n`;
  const titles = async (options: Parameters<typeof connect>[0]): Promise<unknown[]> => {
    const client = await connect(options);
    const file = await client.open('train.py', withoutFix);
    const [diagnostic] = await file.diagnostics();
    assert.equal(diagnostic?.code, 'AC114');
    const actions = await file.codeActions(diagnostic.range, ['quickfix']);
    await client.close();
    return actions.map(({ title }) => title);
  };
  assert.deepEqual(await titles(ours), ['Explain AC114']);
  assert.deepEqual(await titles({}), []);
});

test('the hover on a finding says what its rule is about, beside what it says of the call', async () => {
  const client = await connect();
  const file = await client.open('train.py', `${text}z = checkpoint(f, x, mask=m)\n`);
  const both = (await file.hoverAt('checkpoint(f, x)')) ?? '';
  assert.match(both, /reentrant, because `use_reentrant` is not given/);
  assert.match(
    both,
    /\n---\n\n\*\*implicit-use-reentrant \(AC101\)\*\*\n\nWithout the argument torch takes the \*\*reentrant\*\*/,
  );
  assert.match(both, /\n\nHolds for: torch 1\.11 and later/);
  assert.match(
    both,
    /Switch off: `# noqa: AC101` on the line, or `"AC101": "off"` in the setting `checkpointLens\.rules`/,
  );
  const onKeyword = (await file.hoverAt('mask=m')) ?? '';
  assert.match(onKeyword, /^\*\*reentrant-keyword-arguments \(AC102\)\*\*/);
  await client.changeSettings({ rules: { AC101: 'off' } });
  assert.doesNotMatch((await file.hoverAt('checkpoint(f, x)')) ?? '', /AC101/);
  await client.close();
});

test('a client that reads no Markdown gets words', async () => {
  const client = await connect({ readsMarkdown: false });
  const file = await client.open('train.py', text);
  const hover = (await file.hoverAt('checkpoint(f')) ?? '';
  assert.match(hover, /^implicit-use-reentrant \(AC101\)$/m);
  assert.doesNotMatch(hover, /[*`]/);
  await client.close();
});

test('the hover in settings files, where JSON takes no comments, and in cells of notebooks', async () => {
  const client = await connect();
  const json = await client.open('ds.json', deepspeed, 'json');
  const inJson = (await json.hoverAt('"contiguous_memory')) ?? '';
  assert.match(inJson, /deepspeed-needs-partition \(AC701\)/);
  assert.match(inJson, /Switch off: `"AC701": "off"`/);
  const yaml = await client.open('llama.yaml', 'stage: sft\ntemplate: x\ngradient_checkpointing: false\n', 'yaml');
  assert.match((await yaml.hoverAt('gradient')) ?? '', /Switch off: `# noqa: AC707`/);
  assert.equal(await yaml.hoverAt('stage'), undefined);
  const notebook = await client.openNotebook('train.ipynb', [text]);
  assert.match((await notebook.hoverAt(0, 'checkpoint(f')) ?? '', /implicit-use-reentrant \(AC101\)/);
  await client.close();
});

test('the server hands out every rule and its page', async () => {
  const client = await connect();
  const rules = await client.request<RuleListed[]>(rulesMethod);
  assert.deepEqual(
    rules.map(({ code }) => code),
    allRules.map(({ code }) => code),
  );
  for (const { code, name } of rules) {
    const page = await client.request<string>(rulePageMethod, { code });
    assert.ok(page.startsWith(`# ${name} (${code})\n`), code);
  }
  assert.equal(await client.request(rulePageMethod, { code: 'AC999' }), null);
  assert.equal(await client.request(rulePageMethod, {}), null);
  await client.close();
});
