import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importPartial, importTorchModule } from '../../../server/core/lint/addImport.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';

function withPartial(text: string): readonly [name: string, text: string] {
  const { module, names } = sourceFile('test.py', parsePython(text));
  const { name, edits } = importPartial(module, names);
  return [name, applyEdits(text, edits)];
}

test('what the file has is used', () => {
  assert.deepEqual(withPartial('from functools import partial\n'), ['partial', 'from functools import partial\n']);
  assert.deepEqual(withPartial('import functools\n'), ['functools.partial', 'import functools\n']);
});

test('the import goes before the first one, in its style', () => {
  assert.deepEqual(withPartial('"""Doc."""\nimport torch\n'), [
    'functools.partial',
    '"""Doc."""\nimport functools\nimport torch\n',
  ]);
  assert.deepEqual(withPartial('from __future__ import annotations\r\nfrom torch import nn\r\n'), [
    'partial',
    'from __future__ import annotations\r\nfrom functools import partial\r\nfrom torch import nn\r\n',
  ]);
});

test("a name of the file's own stays what it is", () => {
  const text = 'from torch import nn\ndef partial(): ...\n';
  assert.deepEqual(withPartial(text), ['functools.partial', `import functools\n${text}`]);
});

test('a module of torch goes behind `import torch`, once', () => {
  const add = (text: string): string | undefined => {
    const edits = importTorchModule(parsePython(text), 'torch._functorch.config');
    return edits && applyEdits(text, edits);
  };
  assert.equal(add('import torch  # first\nx = 1\n'), 'import torch  # first\nimport torch._functorch.config\nx = 1\n');
  assert.equal(add('import torch\nimport torch._functorch.config\n'), 'import torch\nimport torch._functorch.config\n');
  assert.equal(add('from torch import nn\n'), undefined);
  assert.equal(add('import torch; x = 1\n'), undefined);
});
