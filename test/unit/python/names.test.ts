import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf, type Target } from '../../../server/core/python/names.ts';
import { expressionsOf } from '../../../server/core/python/walk.ts';
import { torchKnowledge } from '../../../server/core/torch/checkpointApi.ts';
import { parsePython } from '../../support/python.ts';

const torch = 'torch.utils.checkpoint.checkpoint';

/** What the callee of the call that mentions `HERE` stands for; ` ?` at the end where it may be something else as well. */
function calleeAt(source: string): string {
  const module = parsePython(source);
  const names = namesOf(module, torchKnowledge);
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'call') continue;
    const [first] = expression.arguments;
    if (first?.kind !== 'positional' || first.value.kind !== 'name' || first.value.name !== 'HERE') continue;
    const { targets, complete } = names.resolve(expression.callee);
    return targets.map(describe).sort().join(' | ') + (complete ? '' : ' ?');
  }
  throw new Error('no call with HERE');
}

function describe({ qualified, definition, preset }: Target): string {
  const local =
    definition === undefined ? '' : definition.kind === 'lambda' ? 'lambda' : `local ${definition.name.name}`;
  return `${qualified ?? local}${preset.length > 0 ? `+${preset.length}` : ''}`;
}

const cases: readonly [title: string, source: string, expected: string][] = [
  ['from import', 'from torch.utils.checkpoint import checkpoint\ncheckpoint(HERE)', torch],
  ['from import with alias', 'from torch.utils.checkpoint import checkpoint as ck\nck(HERE)', torch],
  [
    'parenthesised imports',
    'from torch.utils.checkpoint import (\n    checkpoint,\n    checkpoint_sequential as cs,\n)\ncheckpoint(HERE)',
    torch,
  ],
  ['import of the module', 'import torch.utils.checkpoint\ntorch.utils.checkpoint.checkpoint(HERE)', torch],
  ['import of the module with alias', 'import torch.utils.checkpoint as cp\ncp.checkpoint(HERE)', torch],
  ['import of the package', 'import torch\ntorch.utils.checkpoint.checkpoint(HERE)', torch],
  ['module from its package', 'from torch.utils import checkpoint\ncheckpoint.checkpoint(HERE)', torch],
  [
    'the module itself is not the function',
    'from torch.utils import checkpoint\ncheckpoint(HERE)',
    'torch.utils.checkpoint',
  ],
  ['package alias', 'import torch.utils as u\nu.checkpoint.checkpoint(HERE)', torch],
  ['star import of a known module', 'from torch.utils.checkpoint import *\ncheckpoint(HERE)', torch],
  ['star import of an unknown module', 'from .layers import *\ncheckpoint(HERE)', ' ?'],
  [
    'import inside a function',
    'def f():\n    from torch.utils.checkpoint import checkpoint\n    checkpoint(HERE)',
    torch,
  ],
  [
    'an import inside another function is not visible',
    'def g():\n    from torch.utils.checkpoint import checkpoint\ndef f():\n    checkpoint(HERE)',
    ' ?',
  ],
  [
    'import below, used in a function',
    'def f():\n    checkpoint(HERE)\nfrom torch.utils.checkpoint import checkpoint',
    torch,
  ],
  ['relative import', 'from .checkpoint import checkpoint\ncheckpoint(HERE)', '.checkpoint.checkpoint'],
  ['relative import from the package', 'from . import checkpoint\ncheckpoint(HERE)', '.checkpoint'],
  [
    'look-alike of Megatron',
    'from megatron.core.tensor_parallel import checkpoint\ncheckpoint(HERE)',
    'megatron.core.tensor_parallel.checkpoint',
  ],
  [
    'look-alike in torch',
    'import torch.distributed.checkpoint as checkpoint\ncheckpoint.save(HERE)',
    'torch.distributed.checkpoint.save',
  ],
  [
    'try and except import the same',
    'try:\n    from torch.utils.checkpoint import checkpoint\nexcept ImportError:\n    checkpoint = None\ncheckpoint(HERE)',
    torch,
  ],
  [
    'try and except import different things',
    'try:\n    from a import checkpoint\nexcept ImportError:\n    from b import checkpoint\ncheckpoint(HERE)',
    'a.checkpoint | b.checkpoint',
  ],
  ['if and else', 'if X:\n    from a import f\nelse:\n    from b import f\nf(HERE)', 'a.f | b.f'],
  [
    'a use in one branch sees that branch alone',
    'if X:\n    from a import f\n    f(HERE)\nelse:\n    from b import f',
    'a.f',
  ],
  ['a later import replaces an earlier one', 'from a import f\nfrom b import f\nf(HERE)', 'b.f'],
  [
    'a later conditional import adds to an earlier one',
    'from a import f\nif X:\n    from b import f\nf(HERE)',
    'a.f | b.f',
  ],
  ['conditional import', 'if available():\n    from torch.utils.checkpoint import checkpoint\ncheckpoint(HERE)', torch],
  ['assignment alias', 'from torch.utils.checkpoint import checkpoint\nck = checkpoint\nck(HERE)', torch],
  ['chain of aliases', 'import torch.utils.checkpoint as cp\na = cp\nb = a.checkpoint\nc = b\nc(HERE)', torch],
  ['pairwise assignment', 'from torch.utils.checkpoint import checkpoint\na, b = 1, checkpoint\nb(HERE)', torch],
  ['walrus', 'from torch.utils.checkpoint import checkpoint\nif (ck := checkpoint):\n    ck(HERE)', torch],
  [
    'conditional expression with None',
    'from torch.utils.checkpoint import checkpoint\nck = checkpoint if X else None\nck(HERE)',
    torch,
  ],
  [
    'a name that is rebound in a loop',
    'from torch.utils.checkpoint import checkpoint\nfor checkpoint in steps:\n    checkpoint(HERE)',
    ' ?',
  ],
  [
    'parameter hides the import',
    'from torch.utils.checkpoint import checkpoint\ndef f(checkpoint):\n    checkpoint(HERE)',
    ' ?',
  ],
  [
    'lambda parameter hides the import',
    'from torch.utils.checkpoint import checkpoint\nf = lambda checkpoint: checkpoint(HERE)',
    ' ?',
  ],
  [
    'comprehension variable hides the import',
    'from torch.utils.checkpoint import checkpoint\n[checkpoint(HERE) for checkpoint in xs]',
    ' ?',
  ],
  [
    'comprehension sees the module',
    'from torch.utils.checkpoint import checkpoint\n[checkpoint(HERE) for x in xs]',
    torch,
  ],
  ['local def', 'def checkpoint(f, x):\n    return f(x)\ncheckpoint(HERE)', 'local checkpoint'],
  [
    'a later def hides the import',
    'from torch.utils.checkpoint import checkpoint\ndef checkpoint(f, x):\n    return f(x)\ndef g():\n    checkpoint(HERE)',
    'local checkpoint',
  ],
  [
    'attribute of self',
    'from torch.utils.checkpoint import checkpoint\nclass A:\n    def __init__(self):\n        self.ck = checkpoint\n    def f(self):\n        self.ck(HERE)',
    torch,
  ],
  [
    'class attribute',
    'from torch.utils.checkpoint import checkpoint\nclass A:\n    ck = staticmethod(checkpoint)\n    def f(self):\n        self.ck(HERE)',
    torch,
  ],
  [
    'class attribute by the class',
    'from torch.utils.checkpoint import checkpoint\nclass A:\n    ck = checkpoint\nA.ck(HERE)',
    torch,
  ],
  [
    'attribute set twice',
    'from a import f\nfrom b import g\nclass A:\n    def __init__(self):\n        self.ck = f\n    def other(self):\n        self.ck = g\n    def run(self):\n        self.ck(HERE)',
    'a.f | b.g',
  ],
  [
    'method of the class',
    'class A:\n    def checkpoint(self, f):\n        pass\n    def run(self):\n        self.checkpoint(HERE)',
    'local checkpoint',
  ],
  [
    'attribute set in a base class of the file',
    'from torch.utils.checkpoint import checkpoint\nclass B:\n    def __init__(self):\n        self.ck = checkpoint\nclass A(B):\n    def run(self):\n        self.ck(HERE)',
    torch,
  ],
  [
    'classes that inherit from each other',
    'class A(B):\n    def run(self):\n        self.ck(HERE)\nclass B(A):\n    pass',
    ' ?',
  ],
  [
    'function that gives it back',
    'from torch.utils.checkpoint import checkpoint\ndef choose():\n    return checkpoint\nck = choose()\nck(HERE)',
    torch,
  ],
  ['function that gives itself back', 'def f():\n    return f()\nf()(HERE)', ' ?'],
  ['inherited attribute is unknown', 'class A(B):\n    def run(self):\n        self.checkpoint(HERE)', ' ?'],
  [
    'class body names are not seen in methods',
    'from b import f\nclass A:\n    from a import f\n    def run(self):\n        f(HERE)',
    'b.f',
  ],
  [
    'partial',
    'from functools import partial\nfrom torch.utils.checkpoint import checkpoint\nck = partial(checkpoint, use_reentrant=False)\nck(HERE)',
    `${torch}+1`,
  ],
  [
    'partial of partial',
    'import functools\nfrom torch.utils.checkpoint import checkpoint\na = functools.partial(checkpoint, x=1)\nb = functools.partial(a, y=2, z=3)\nb(HERE)',
    `${torch}+3`,
  ],
  [
    'partial on the spot',
    'from functools import partial\nfrom torch.utils.checkpoint import checkpoint\npartial(checkpoint, x=1)(HERE)',
    `${torch}+1`,
  ],
  [
    'a partial that is not functools',
    'from other import partial\nfrom torch.utils.checkpoint import checkpoint\npartial(checkpoint)(HERE)',
    ' ?',
  ],
  [
    'partial on self',
    'from functools import partial\nimport torch.utils.checkpoint as cp\nclass A:\n    def __init__(self):\n        self._ck = partial(cp.checkpoint, use_reentrant=True)\n    def f(self):\n        self._ck(HERE)',
    `${torch}+1`,
  ],
  [
    'disabled for the compiler',
    'import torch\nfrom torch.utils.checkpoint import checkpoint\nck = torch.compiler.disable(checkpoint)\nck(HERE)',
    torch,
  ],
  [
    'global in a function',
    'def setup():\n    global ck\n    from torch.utils.checkpoint import checkpoint as ck\ndef f():\n    ck(HERE)',
    torch,
  ],
  ['aliases in a circle end', 'a = b\nb = a\ndef f():\n    a(HERE)', ' ?'],
  ['a name that is its own alias', 'x = x\nx(HERE)', ' ?'],
  ['result of a call', 'make()(HERE)', ' ?'],
  ['subscript', 'table["ck"](HERE)', ' ?'],
  ['augmented assignment', 'from a import f\nf += 1\nf(HERE)', ' ?'],
];

for (const [title, source, expected] of cases) {
  test(`a name resolves: ${title}`, () => assert.equal(calleeAt(source), expected));
}

test('members that refer to each other in many ways are decided quickly', () => {
  const names = Array.from({ length: 40 }, (_, index) => `m${index}`);
  const assignments = names.map(
    (name) => `        self.${name} = ${names.map((other) => `self.${other}`).join(' or ')}`,
  );
  assert.equal(calleeAt(`class A:\n    def f(self):\n${assignments.join('\n')}\n        self.m0(HERE)\n`), ' ?');
});
