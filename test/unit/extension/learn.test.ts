import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnText } from '../../../extension/learn/learnText.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { parseVersion } from '../../../server/core/torch/version.ts';

const pageOf = (language: string, torch?: string, model?: Parameters<typeof learnText>[0]['model']) =>
  learnText({ language, torch: torch === undefined ? undefined : parseVersion(torch), model });

const codesIn = (text: string): string[] => [...new Set(text.match(/AC\d{3}/g))].sort();

test('every rule the page names exists, and both languages name the same ones', () => {
  const english = codesIn(pageOf('en').markdown);
  assert.deepEqual(codesIn(pageOf('zh-cn').markdown), english);
  const known = new Set(allRules.map(({ code }) => code));
  assert.deepEqual(
    english.filter((code) => !known.has(code)),
    [],
  );
});

test('both languages have the same headings, tables and rows', () => {
  const shape = (language: string) =>
    pageOf(language)
      .markdown.split('\n')
      .filter((line) => /^(#|\|)/.test(line))
      .map((line) => (line.startsWith('#') ? line.replace(/[^#].*/, '') : line.split(/(?<!\\)\|/).length));
  assert.deepEqual(shape('zh-cn'), shape('en'));
});

test('rows hold for the torch that is found', () => {
  const rows = (torch?: string) => pageOf('en', torch).markdown;
  assert.ok(rows('2.13').includes('`early_stop`') && !rows('2.8').includes('`early_stop`'));
  assert.ok(
    rows('2.3').includes('`context_fn`, `debug`') && !rows('2.3').includes('create_selective_checkpoint_contexts'),
  );
  assert.match(rows('2.14'), /as a decorator \| works/);
  assert.match(rows('2.13'), /as a decorator \| raises/);
  assert.match(rows(), /as a decorator \| raises/);
  assert.match(rows('1.13'), /without a word/);
  assert.match(rows('2.1'), /with a warning/);
  for (const language of ['en', 'zh-cn']) assert.ok(!/\{\{|<!--/.test(pageOf(language).markdown));
});

test('codes are links to the rules’ pages', () => {
  assert.ok(pageOf('en').markdown.includes('[AC101](command:checkpointLens.explainRule?%5B%22AC101%22%5D)'));
});

test('the person’s own layers are drawn beside the example', () => {
  const { markdown, pictures } = pageOf('en', '2.13', { name: 'GPT2Config', layers: 24, segment: 2 });
  assert.deepEqual([...pictures.keys()], ['picture 24 2', 'picture 12 4']);
  assert.ok(markdown.includes('24 layers in segments of 2 are 12 + 2 = 14 units instead of 24'), markdown);
  const own = pictures.get('picture 24 2') ?? '';
  assert.equal(own.match(/class="replayed"/g)?.length, 2 + 1, 'two layers and the legend');
  assert.equal(own.match(/class="kept"/g)?.length, 2 * 12 + 1);
  assert.match(own, /role="img" aria-label="24 layers in segments of 2: 12 inputs are kept/);
});
