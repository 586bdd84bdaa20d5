import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../../extension/activate.ts';
import { openDemo, positionOf, replaceAll, until } from './editor.ts';

/** The extension's own view of what its server said and its panel drew. */
async function testApi(): Promise<TestApi> {
  const extension = vscode.extensions.getExtension<TestApi>('checkpoint-lens.checkpoint-lens');
  assert.ok(extension !== undefined, 'the extension is not there');
  return extension.activate();
}

describe('the panel', () => {
  it('draws the model of the open file', async () => {
    const document = await openDemo('train.py');
    await vscode.commands.executeCommand('checkpointLens.openPanel');
    const { latestRendered } = await testApi();
    const headline = await until('the panel', () => {
      const rendered = latestRendered();
      return rendered?.uri === document.uri.toString() ? rendered.headline : undefined;
    });
    assert.match(headline, /GPT2Config/);
  });

  it('is told where each value stands', async () => {
    const document = await openDemo('train.py');
    const { latestFacts } = await testApi();
    const facts = await until('facts', () => latestFacts(document.uri.toString())?.facts);
    const written = (origin: { kind: string; place?: { line: number } } | undefined) =>
      origin?.kind === 'literal' ? origin.place?.line : undefined;
    assert.equal(facts.model?.layers.value, 24);
    assert.equal(written(facts.model?.layers.origin), positionOf(document, 'n_layer=24').line + 1);
    assert.equal(facts.run.batch.value, 8);
    assert.equal(written(facts.run.batch.origin), positionOf(document, 'per_device_train_batch_size').line + 1);
    assert.equal(facts.run.dataType.value, 'bf16');
    assert.equal(facts.run.attention.value, 'eager');
  });

  it('follows an edit, and keeps the last good values while the file does not parse', async () => {
    const document = await openDemo('train.py');
    const uri = document.uri.toString();
    const { latestFacts } = await testApi();
    const original = document.getText();
    const layers = () => latestFacts(uri)?.facts?.model?.layers.value;
    await until('24 layers', () => layers() === 24 || undefined);
    const edited = original.replace('n_layer=24', 'n_layer=36');
    await replaceAll(document, edited);
    await until('36 layers', () => layers() === 36 || undefined);
    await replaceAll(document, edited.replace('n_head=16,', 'n_head=((('));
    await until('a stale message', () => latestFacts(uri)?.stale || undefined);
    assert.equal(layers(), 36);
    await replaceAll(document, original);
    await until('24 layers again', () => (layers() === 24 && latestFacts(uri)?.stale === false) || undefined);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is told that there is no model where there is none', async () => {
    const document = await openDemo('lookalikes.py');
    const { latestFacts } = await testApi();
    const message = await until('the message', () => latestFacts(document.uri.toString()));
    assert.equal(message.facts?.model, undefined);
  });
});
