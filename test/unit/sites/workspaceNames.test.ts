import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIndex } from '../../../server/core/python/calls.ts';
import { checkpointSites } from '../../../server/core/sites/checkpointSite.ts';
import { wrapperSites } from '../../../server/core/sites/wrapperSite.ts';
import { workspaceOf } from '../../support/workspace.ts';

function sitesIn(files: Record<string, string>): string[] {
  const workspace = workspaceOf(files);
  const file = workspace.file('/w/pkg/main.py');
  assert.ok(file);
  return checkpointSites(file, callIndex(file.module, file.names)).map(({ useReentrant }) => useReentrant.kind);
}

const torch = 'from torch.utils.checkpoint import checkpoint\n';

const cases: readonly [title: string, main: string, others: Record<string, string>, expected: string[]][] = [
  ['re-export', 'from .compat import checkpoint\ncheckpoint(f, x)\n', { 'pkg/compat.py': torch }, ['absent']],
  [
    're-export under another name',
    'from pkg.compat import ckpt\nckpt(f, x)  # checkpoint\n',
    { 'pkg/compat.py': `${torch}ckpt = checkpoint\n` },
    ['absent'],
  ],
  [
    're-export through the package',
    'from pkg import checkpoint\ncheckpoint(f, x)\n',
    { 'pkg/__init__.py': 'from .a import checkpoint\n', 'pkg/a.py': 'from .b import checkpoint\n', 'pkg/b.py': torch },
    ['absent'],
  ],
  [
    'attribute of a module of the workspace',
    'from pkg import compat\ncompat.checkpoint(f, x)\n',
    { 'pkg/__init__.py': '', 'pkg/compat.py': torch },
    ['absent'],
  ],
  ['star import', 'from .compat import *\ncheckpoint(f, x)\n', { 'pkg/compat.py': torch }, ['absent']],
  [
    'star import of a module that imports torch',
    'from .parts import *\ntorch.utils.checkpoint.checkpoint(f, x)\n',
    { 'pkg/parts.py': 'import torch\n' },
    ['absent'],
  ],
  [
    'partial in another file',
    'from .compat import run\nrun(f, x)  # checkpoint\n',
    { 'pkg/compat.py': `from functools import partial\n${torch}run = partial(checkpoint, use_reentrant=False)\n` },
    ['known'],
  ],
  [
    'a function that gives it back',
    'from .compat import choose\nrun = choose()\nrun(f, x)  # checkpoint\n',
    { 'pkg/compat.py': `${torch}def choose():\n    return checkpoint\n` },
    ['absent'],
  ],
  [
    'a function that gives one of two back',
    'from .compat import choose\nrun = choose()\nrun(f, x)  # checkpoint\n',
    {
      'pkg/compat.py': `import deepspeed\n${torch}def choose():\n    if deepspeed.checkpointing.is_configured():\n        return deepspeed.checkpointing.checkpoint\n    return checkpoint\n`,
    },
    [],
  ],
  [
    'a function of the workspace with the name',
    'from .compat import checkpoint\ncheckpoint(f, x)\n',
    { 'pkg/compat.py': 'def checkpoint(f, x):\n    return f(x)\n' },
    [],
  ],
  [
    'files that import each other',
    'from .compat import checkpoint\ncheckpoint(f, x)\n',
    { 'pkg/compat.py': 'from .main import checkpoint\n' },
    [],
  ],
  ['a file that is not there', 'from .missing import checkpoint\ncheckpoint(f, x)\n', {}, []],
];

for (const [title, main, others, expected] of cases) {
  test(`names across files: ${title}`, () => assert.deepEqual(sitesIn({ 'pkg/main.py': main, ...others }), expected));
}

test('a function that hands its parameter to checkpoint makes its calls sites of their own kind', () => {
  const workspace = workspaceOf({
    'pkg/main.py':
      'from .run import run_layer\nclass A:\n    def forward(self, x):\n        x = run_layer(self.block, x)\n        return run_layer(inputs=x, function=self.head)\n',
    'pkg/run.py': `${torch}def run_layer(function, inputs):\n    return checkpoint(function, inputs, use_reentrant=False)\n`,
  });
  const file = workspace.file('/w/pkg/main.py');
  assert.ok(file);
  const found = wrapperSites(file, callIndex(file.module, file.names), workspace);
  assert.deepEqual(
    found.map((site) => [
      site.function && file.module.text.slice(site.function.start, site.function.end),
      site.inner.useReentrant.kind,
    ]),
    [
      ['self.block', 'known'],
      ['self.head', 'known'],
    ],
  );
});
