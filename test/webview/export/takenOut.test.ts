import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { findDevice } from '../../../server/core/devices/findDevice.ts';
import { type BudgetView, derivePanel } from '../../../webview/derive.ts';
import { panelJson, panelMarkdown } from '../../../webview/export/markdown.ts';
import { panelPicture } from '../../../webview/export/picture.ts';
import { initialState } from '../../../webview/store.ts';
import { computing, facts, model, onDevice, plain, shown, withShown, written } from '../sample.ts';

const withName = (name: string): BudgetView =>
  derivePanel(
    onDevice(
      withShown(initialState(), { ...shown, facts: { ...facts, model: { ...model, name: written(name, 3) } } }),
      findDevice('A100 40GB').device!,
    ),
    computing(estimateBudget),
  ) as BudgetView;

test('Markdown has the verdict, the parts of the peak and the strategies', () => {
  const text = plain(panelMarkdown(withName('GPT2Config')));
  assert.match(text, /^\*\*GPT2Config\*\*: Fits on A100 40 GB, /);
  assert.match(text, /\| Stored for the backward pass \* \| \d/);
  assert.match(text, /\| \*\*Expected total\*\* \| \*\*1\d\.\d GB\*\* \|/);
  assert.match(text, /\| Full, k = 1 \| \d+\.\d+ GB \| \+\d+\.\d % \| fits \|/);
});

test('JSON is what the command line prints', () => {
  const { version, model: written, device } = JSON.parse(panelJson(withName('GPT2Config')));
  assert.equal(version, 1);
  assert.equal(written.layers, 12);
  assert.equal(device.outcome, 'fits');
});

test('a picture is well-formed whatever the model is called', () => {
  const view = withName('<script>&"A|B"');
  const picture = panelPicture(view.whole!, view, {
    background: '#fff',
    foreground: '#000',
    quiet: '#666',
    of: () => '#39f',
  });
  assert.ok(!picture.includes('<script>'));
  assert.match(picture, /&lt;script&gt;&amp;&quot;A\|B&quot;/);
  assert.equal(picture.match(/<rect /g)?.length, 1 + 2 * 5, 'background, five boxes and their legend');
  assert.ok(!/NaN|undefined|Infinity/.test(picture));
});
