import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIndex } from '../../../server/core/python/calls.ts';
import { checkpointSites } from '../../../server/core/sites/checkpointSite.ts';
import { regionOf } from '../../../server/core/sites/region.ts';
import { workspaceOf } from '../../support/workspace.ts';

/** What the first checkpoint call of `main.py` runs, as `Class.method`, `function` or `lambda`; library classes by full name. */
function region(main: string, others: Record<string, string> = {}): string {
  const workspace = workspaceOf({
    'main.py': `import torch\nfrom torch import nn\nfrom torch.utils.checkpoint import checkpoint\n${main}`,
    ...others,
  });
  const file = workspace.file('/w/main.py');
  assert.ok(file);
  const [site] = checkpointSites(file, callIndex(file.module, file.names));
  assert.ok(site, 'a site');
  const { bodies, libraryModules, complete } = regionOf(site, file, workspace);
  const names = bodies.map(({ callable, owner }) =>
    callable.kind === 'lambda'
      ? 'lambda'
      : owner === undefined
        ? callable.name.name
        : `${owner.name.name}.${callable.name.name}`,
  );
  return [...names, ...libraryModules.map(({ qualified }) => qualified)].join(' ') + (complete ? '' : ' ?');
}

const block = 'class Block(nn.Module):\n    def forward(self, x):\n        return x\n';

const cases: readonly [title: string, source: string, expected: string][] = [
  ['lambda', 'checkpoint(lambda x: x + 1, a)', 'lambda'],
  ['local function', 'def f(x):\n    return x\ncheckpoint(f, a)', 'f'],
  [
    'method',
    'class A:\n    def run(self, x):\n        return x\n    def forward(self, x):\n        return checkpoint(self.run, x)',
    'A.run',
  ],
  [
    'submodule',
    `${block}class A:\n    def __init__(self):\n        self.block = Block()\n    def forward(self, x):\n        return checkpoint(self.block, x)`,
    'Block.forward',
  ],
  [
    'module list in a loop',
    `${block}class A:\n    def __init__(self):\n        self.blocks = nn.ModuleList([Block() for _ in range(4)])\n    def forward(self, x):\n        for block in self.blocks:\n            x = checkpoint(block, x)`,
    'Block.forward',
  ],
  [
    'enumerate over a module list',
    `${block}class A:\n    def __init__(self):\n        self.blocks = nn.ModuleList([Block() for _ in range(4)])\n    def forward(self, x):\n        for i, block in enumerate(self.blocks):\n            x = checkpoint(block, x)`,
    'Block.forward',
  ],
  [
    'library module',
    'class A:\n    def __init__(self):\n        self.drop = nn.Dropout(0.1)\n    def forward(self, x):\n        return checkpoint(self.drop, x)',
    'torch.nn.Dropout',
  ],
  [
    'sequential',
    `${block}class A:\n    def __init__(self):\n        self.net = nn.Sequential(Block(), nn.ReLU())\n    def forward(self, x):\n        return checkpoint(self.net, x)`,
    'Block.forward torch.nn.ReLU',
  ],
  [
    'submodules of submodules',
    `${block}class Outer(nn.Module):\n    def __init__(self):\n        self.inner = Block()\n        self.drop = nn.Dropout(0.1)\n    def forward(self, x):\n        return self.drop(self.inner(x))\nclass A:\n    def __init__(self):\n        self.outer = Outer()\n    def forward(self, x):\n        return checkpoint(self.outer, x)`,
    'Outer.forward Block.forward torch.nn.Dropout',
  ],
  [
    'factory',
    'class A:\n    def __init__(self):\n        self.layer = nn.Linear(1, 1)\n    def forward(self, x):\n        def custom(module):\n            def run(*inputs):\n                return module(*inputs)\n            return run\n        return checkpoint(custom(self.layer), x)',
    'run torch.nn.Linear',
  ],
  ['partial', 'from functools import partial\ndef f(x, y):\n    return x\ncheckpoint(partial(f, y=1), a)', 'f'],
  [
    'inherited forward',
    `${block}class Child(Block):\n    pass\nclass A:\n    def __init__(self):\n        self.block = Child()\n    def forward(self, x):\n        return checkpoint(self.block, x)`,
    'Block.forward',
  ],
  ['a parameter is not known', 'def run(f, x):\n    return checkpoint(f, x)', ' ?'],
  [
    'a module that calls itself ends',
    'class A(nn.Module):\n    def __init__(self):\n        self.again = A()\n    def forward(self, x):\n        return checkpoint(self.again, x)',
    'A.forward',
  ],
];

for (const [title, source, expected] of cases) {
  test(`the code of a region: ${title}`, () => assert.equal(region(`${source}\n`), expected));
}

test('the code of a region: a class of another file, through a re-export', () => {
  const main =
    'from pkg import Block\nclass A:\n    def __init__(self):\n        self.block = Block()\n    def forward(self, x):\n        return checkpoint(self.block, x)\n';
  assert.equal(
    region(main, {
      'pkg/__init__.py': 'from .layers import Block\n',
      'pkg/layers.py': `from torch import nn\n${block}`,
    }),
    'Block.forward',
  );
});

test('the function of torch is recognised through a re-export of the workspace', () => {
  const workspace = workspaceOf({
    'main.py': 'from .compat import checkpoint\ncheckpoint(f, x)\n',
    'compat.py': 'try:\n    from torch.utils.checkpoint import checkpoint\nexcept ImportError:\n    raise\n',
  });
  const file = workspace.file('/w/main.py');
  assert.ok(file);
  assert.equal(checkpointSites(file, callIndex(file.module, file.names)).length, 1);
});
