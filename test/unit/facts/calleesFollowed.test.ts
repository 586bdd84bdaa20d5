import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectRun } from '../../../server/core/facts/detectRun.ts';
import { unreadSourceFile } from '../../../server/core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../../../server/core/workspace/workspace.ts';
import { parsePython } from '../../support/python.ts';

/** The run of `train.py`, and which files were parsed for it. */
function parsedFor(files: Readonly<Record<string, string>>) {
  const parsed: string[] = [];
  const opened = new Map<string, SourceFile>();
  const workspace: Workspace = {
    roots: ['/project'],
    mayHold: (stem) => Object.keys(files).some((name) => `/project/${name}`.startsWith(stem)),
    file(path) {
      const name = path.slice('/project/'.length);
      const text = files[name];
      if (text === undefined) return undefined;
      const parse = (content: string) => {
        parsed.push(name);
        return parsePython(content);
      };
      const file = opened.get(path) ?? unreadSourceFile(path, text, parse, workspace, new Map());
      opened.set(path, file);
      return file;
    },
  };
  const file = workspace.file('/project/train.py');
  assert.ok(file !== undefined);
  const around = { workspace, file: file.path, placeName: (path: string) => path };
  const facts = detectRun(file.module, file.names, 'train.py', around);
  return { facts, parsed: parsed.sort() };
}

test('helpers of the project are not parsed, whatever they speak of', () => {
  const { facts, parsed } = parsedFor({
    'helpers.py': 'def setup():  # checkpoint\n    return object()\n',
    'more.py': 'def make():  # checkpoint\n    return object()\n',
    'train.py': `import helpers
from more import make
from torch.utils.data import DataLoader
helpers.setup()
thing = make()
thing.step()
loader = DataLoader(data, batch_size=4, shuffle=True)
loss.backward()
`,
  });
  assert.equal(facts?.run.batch.value, 4);
  assert.deepEqual(parsed, ['train.py']);
});

test('a name of a library that the project hands on is followed', () => {
  const { facts, parsed } = parsedFor({
    'tools.py': 'from torch.utils.data import DataLoader\nfrom torch.utils.checkpoint import checkpoint as ckpt\n',
    'train.py': `from tools import DataLoader, ckpt
loader = DataLoader(data, batch_size=4, shuffle=True)
for x in loader:
    for layer in layers:
        x = ckpt(layer, x, use_reentrant=False)
    x.backward()
`,
  });
  assert.equal(facts?.run.batch.value, 4);
  assert.equal(facts?.run.checkpointing.value.variant, 'non-reentrant');
  assert.deepEqual(parsed, ['train.py']);
});

test('of an imported class only the definition is looked at', () => {
  const { facts } = parsedFor({
    'sizes.py': 'from dataclasses import dataclass\n@dataclass\nclass Sizes:\n    batch_size: int = 6\n',
    'train.py': `from sizes import Sizes
from torch.utils.data import DataLoader
sizes = Sizes()
loader = DataLoader(data, batch_size=sizes.batch_size, shuffle=True)
loss.backward()
`,
  });
  assert.equal(facts?.run.batch.value, 6);
});
