import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findDevice } from '../../../server/core/devices/findDevice.ts';
import type { FileFacts, ToPanel } from '../../../webview/protocol.ts';
import { facts, shown, written } from '../../webview/sample.ts';
import { openPanelAlone, type PanelAlone } from './panelAlone.ts';

const message = (document: FileFacts | undefined, change: Partial<ToPanel> = {}): ToPanel => ({
  type: 'facts',
  shown: document,
  awaited: undefined,
  server: 'running',
  device: undefined,
  ...change,
});
const sound = message(shown);
const { run } = facts;

/** Whatever arrives, or does not: the panel says calmly what is missing, and what a person typed stays. */
describe('the panel in bad states', () => {
  let panel: PanelAlone;
  before(async () => {
    panel = await openPanelAlone();
  });
  after(async () => {
    await panel?.browser.close();
  });
  const text = async (): Promise<string> => (await panel.page.locator('main').textContent()) ?? '';
  const verdict = async (): Promise<string> => (await panel.part('verdict').textContent()) ?? '';

  test('an extension that says nothing is waited for, in words', async () => {
    await panel.part('waiting').waitFor();
  });

  test('no document, and a document without facts, say what would be read', async () => {
    await panel.send(message(undefined, { server: 'idle' }));
    assert.match((await panel.part('empty-state').textContent()) ?? '', /Open a Python training script/);
    await panel.send(message({ ...shown, facts: undefined }));
    assert.match((await panel.part('empty-state').textContent()) ?? '', /No model recognised in train\.py/);
  });

  test('a document that is being read, or a server on its way to it, is no claim that there is nothing', async () => {
    await panel.send(message(undefined, { awaited: 'train.py' }));
    assert.equal(await panel.part('on-its-way').textContent(), 'Reading train.py…');
    assert.equal(await panel.part('empty-state').count(), 0);
    await panel.send(message(undefined, { server: 'starting' }));
    assert.match((await panel.part('on-its-way').textContent()) ?? '', /server is starting/);
    assert.equal(await panel.part('empty-state').count(), 0);
    await panel.send(message(undefined, { server: 'stopped', awaited: 'train.py' }));
    await panel.part('server-stopped').waitFor();
    assert.equal(await panel.part('on-its-way').count(), 0, 'nobody is reading it');
  });

  test('half of the facts name what is known', async () => {
    await panel.send(
      message({ ...shown, facts: { model: undefined, run, notes: [], namedModel: written('our-org/private-7b', 3) } }),
    );
    assert.match(
      (await panel.part('empty-state').textContent()) ?? '',
      /sizes of this model are not known.*private-7b/s,
    );
  });

  test('facts that do not parse just now stay, and are called old', async () => {
    await panel.send(sound);
    const before = await verdict();
    await panel.send(message({ ...shown, stale: true }));
    assert.match((await panel.part('stale').textContent()) ?? '', /does not parse just now/);
    assert.equal(await verdict(), before);
  });

  for (const [name, value] of [
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['nothing', 0],
    ['a negative number', -8],
    ['half a sequence', 1.5],
  ] as const)
    test(`${name} as the batch gives no number, and says so`, async () => {
      await panel.send(message({ ...shown, facts: { ...facts, run: { ...run, batch: written(value, 9) } } }));
      assert.match(await verdict(), /^No (total for these settings|estimate)/);
      const notes = (await panel.part('notes').textContent()) ?? '';
      assert.match(notes, /batch size is .*, not a positive whole number/);
      assert.doesNotMatch((await text()).replace(notes, ''), /NaN|Infinity|∞|undefined/);
      await panel.send(sound);
      assert.match(await verdict(), /^Takes /);
    });

  test('facts of another version of the extension are a failure that is said, and the next ones are shown', async () => {
    await panel.send({ ...sound, shown: { ...shown, facts: { model: facts.model, notes: [] } } });
    await panel.part('failure').waitFor();
    assert.equal(await panel.part('verdict').count(), 0, 'numbers of the model before are left');
    await panel.send(sound);
    assert.match(await verdict(), /^Takes /);
    assert.equal(await panel.part('failure').count(), 0);
  });

  test('a message it does not know goes to the log and changes nothing', async () => {
    const before = await text();
    await panel.send({ type: 'somethingNew', shown: undefined });
    assert.equal(await text(), before);
    const [last] = (await panel.said()).slice(-1);
    assert.ok(last?.type === 'failed' && last.message.includes('somethingNew'), JSON.stringify(last));
  });

  test('what was tried and what was typed outlives a server that dies and comes back', async () => {
    await panel.part('input-batch').fill('16');
    await panel.part('input-sequence').fill('1.5');
    const tried = await verdict();
    await panel.send(message(shown, { server: 'stopped' }));
    await panel.part('server-stopped').waitFor();
    assert.equal(await verdict(), tried);
    await panel.part('restart-server').click();
    assert.ok((await panel.said()).some(({ type }) => type === 'restart-server'));
    await panel.send(message(shown, { server: 'starting' }));
    assert.equal(await verdict(), tried);
    await panel.send(sound);
    await panel.part('server-stopped').waitFor({ state: 'detached' });
    assert.equal(await verdict(), tried);
    assert.equal(await panel.part('input-batch').inputValue(), '16');
    assert.equal(await panel.part('input-sequence').inputValue(), '1.5');
    await panel.part('input-sequence').fill('1024');
    await panel.part('reset').click();
  });

  test('a panel that was hidden during a change shows the change', async () => {
    const hide = (isHidden: boolean) =>
      panel.page.evaluate((hidden) => {
        document.body.style.display = hidden ? 'none' : '';
      }, isHidden);
    await hide(true);
    await panel.send(message({ ...shown, facts: { ...facts, run: { ...run, batch: written(32, 9) } } }));
    await hide(false);
    await panel.part('input-batch').waitFor();
    assert.equal(await panel.part('input-batch').inputValue(), '32');
    await panel.send(sound);
  });

  test('without any variable of a theme its text is read and its parts are told apart', async () => {
    const fills = await panel.page
      .locator('svg.memory .part')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).fill));
    assert.ok(fills.length > 3 && new Set(fills).size === fills.length, fills.join(', '));
    const colours = await panel.part('verdict').evaluate((element) => {
      const { color } = getComputedStyle(element);
      return { color, canvas: getComputedStyle(document.documentElement).backgroundColor };
    });
    assert.notEqual(colours.color, colours.canvas);
  });

  for (const width of [220, 260, 300, 340, 400, 600])
    test(`nothing is cut off at the side, ${width} pixels wide`, async () => {
      await panel.page.setViewportSize({ width, height: 900 });
      await panel.send(message(shown, { device: findDevice('A100 40GB').device }));
      const closed = panel.page.locator('details.section:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      const outside = () =>
        panel.page.locator('main *').evaluateAll((elements) =>
          elements
            .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .filter((element) => element.closest('svg') === null)
            .map((element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`),
        );
      assert.deepEqual(await outside(), []);
    });
});
