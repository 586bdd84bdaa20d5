import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { defaultSettings } from '../../server/core/settings.ts';
import { analysesWith } from '../../server/lsp/analysis.ts';
import { pythonParser } from '../support/python.ts';

const implicit = 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n';

test('of many large documents the trees of those asked about last are kept, and the others made again', () => {
  let held = 0;
  const track = (): ReturnType<typeof pythonParser.track> => {
    const tracked = pythonParser.track();
    held++;
    return {
      update: (text) => tracked.update(text),
      dispose() {
        held--;
        tracked.dispose();
      },
    };
  };
  const analyses = analysesWith(track, () => undefined, assert.fail);
  const documents = ['a', 'b', 'c', 'd'].map((name) =>
    TextDocument.create(`file:///${name}.py`, 'python', 1, `${implicit}# ${'x'.repeat(250_000)}\n`),
  );
  const codes = (document: TextDocument): string[] =>
    analyses
      .of(document)
      .diagnostics(defaultSettings)
      .map(({ code }) => code);
  for (const document of [...documents, ...documents]) {
    assert.deepEqual(codes(document), ['AC101']);
    assert.ok(held <= 2, String(held));
    assert.equal(analyses.of(document), analyses.of(document));
  }
  const huge = TextDocument.create('file:///huge.py', 'python', 1, `${implicit}# ${'x'.repeat(2_000_000)}\n`);
  assert.deepEqual(codes(huge), ['AC101']);
  assert.equal(analyses.of(huge), analyses.of(huge));
  assert.equal(held, 1);
  for (const { uri } of [...documents, huge]) analyses.forget(uri);
  assert.equal(held, 0);
});
