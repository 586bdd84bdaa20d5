import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIndex } from '../../../server/core/python/calls.ts';
import type { Names } from '../../../server/core/python/names.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';
import { workspaceOf } from '../../support/workspace.ts';

const checkpoint = 'torch.utils.checkpoint.checkpoint';

/** The callees that mean torch's function, and all that was asked of other files on the way. */
function callsOf(text: string, library = ''): { readonly found: string[]; readonly asked: string[] } {
  const asked: string[] = [];
  const workspace = workspaceOf({ 'library.py': library });
  const { module, names } = sourceFile('/w/a.py', parsePython(text), workspace);
  const watched: Names = {
    ...names,
    resolve(expression) {
      asked.push(text.slice(expression.start, expression.end));
      return names.resolve(expression);
    },
  };
  const found = callIndex(module, watched).to(checkpoint);
  return { found: found.map(({ call: { callee } }) => text.slice(callee.start, callee.end)), asked };
}

const library = `from torch.utils import checkpoint as cp
def made():
    return cp
`;

const found: readonly (readonly [title: string, text: string, callee: string])[] = [
  ['what a call gives back', 'from library import made\nx = made()\nx.checkpoint(f, y)\n', 'x.checkpoint'],
  ['what it gives back at once', 'from library import made\nmade().checkpoint(f, y)\n', 'made().checkpoint'],
  [
    'what the constructor keeps of it',
    'from library import made\nclass A:\n    def __init__(self):\n        self.x = made()\n    def forward(self, y):\n        return self.x.checkpoint(f, y)\n',
    'self.x.checkpoint',
  ],
  [
    'a module under another name',
    'from torch.utils import checkpoint as cp\nx = cp\nx.checkpoint(f, y)\n',
    'x.checkpoint',
  ],
  [
    'an attribute with another name',
    'from torch.utils.checkpoint import checkpoint\nclass A:\n    run = checkpoint\n    def forward(self, y):\n        return self.run(f, y)\n',
    'self.run',
  ],
  [
    'nothing or a module',
    'from torch.utils import checkpoint as cp\nx = None\nif a:\n    x = cp\nx.checkpoint(f, y)\n',
    'x.checkpoint',
  ],
];
for (const [title, text, callee] of found) {
  test(`a call through ${title} is found`, () => assert.deepEqual(callsOf(text, library).found, [callee]));
}

test('other attributes of what a call gives back are not looked into', () => {
  const text = 'from library import made\nx = made()\nx.run(f)\nx.y.run(f)\nmade().run(f)\ndef g(z):\n    z.run(f)\n';
  const { asked } = callsOf(text, library);
  assert.deepEqual(
    asked.filter((one) => one.includes('run')),
    [],
  );
});

test('names that lead to others in many ways, and through many of them, are decided at once', () => {
  const many = Array.from({ length: 40 }, (_, at) => `v${at + 1} = v${at} if c else v${at}\n`).join('');
  const long = Array.from({ length: 20_000 }, (_, at) => `w${at + 1} = w${at}\n`).join('');
  const text = `import torch\nv0 = w0 = torch.nn\n${many}${long}v40.run(f, x)\nw20000.run(f, x)\nw5.checkpoint(f, x)\n`;
  assert.deepEqual(callsOf(text).found, []);
});
