import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lint } from '../../../server/core/lint/engine.ts';
import type { Rule } from '../../../server/core/lint/rule.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { codesIn } from '../../support/lint.ts';
import { workspaceOf } from '../../support/workspace.ts';

const header = 'import functools\nfrom torch.utils.checkpoint import checkpoint\n';
const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');
const countOf = (text: string, code: string): number => codesIn(text).filter((one) => one === code).length;

/** Code that no person writes, that must still end, and what is said about it all the same. */
const cases: readonly (readonly [string, string, number])[] = [
  [
    'aliases of aliases, five thousand long',
    `a0 = checkpoint\n${many(5_000, (i) => `a${i + 1} = a${i}\n`)}a10(f, x)\na5000(f, x)\n`,
    1,
  ],
  [
    'partials in a circle',
    'p = functools.partial(q, 1)\nq = functools.partial(p, 2)\nr = functools.partial(r)\np(f, x)\nr(f, x)\n',
    0,
  ],
  [
    'wrappers in a circle',
    'def a(f, x):\n    return b(f, x)\ndef b(f, x):\n    a(f, x)\n    return checkpoint(f, x)\na(f, x)\n',
    1,
  ],
  [
    'bases in a circle',
    'class A(B):\n    pass\nclass B(A):\n    def forward(self, x):\n        return checkpoint(self.layer, x)\n',
    1,
  ],
  [
    'members that refer to each other',
    `class A:\n    def __init__(self):\n${many(300, (i) => `        self.m${i} = self.m${(i * 7 + 1) % 300} or self.m${(i * 3 + 2) % 300}\n`)}    def forward(self, x):\n        return checkpoint(self.m1, x)\n`,
    1,
  ],
  [
    'one name bound on thousands of ways',
    `${many(1_000, (i) => `if a${i}:\n    x = checkpoint(f, x)\nelse:\n    x = g(x)\n`)}`,
    1_000,
  ],
  ['one name bound thousands of times', many(2_000, () => 'x = checkpoint(f, x)\n'), 2_000],
  [
    'calls in calls, five thousand deep',
    `x = ${'f('.repeat(5_000)}checkpoint(f, x)${')'.repeat(5_000)}\ny = checkpoint(f, x)\n`,
    1,
  ],
  ['lambdas in lambdas, five thousand deep', `f = ${'lambda x: '.repeat(5_000)}x\ny = checkpoint(f, x)\n`, 1],
];

for (const [what, text, expected] of cases) {
  test(`bad code: ${what}`, { timeout: 60_000 }, () => {
    assert.equal(countOf(header + text, 'AC101'), expected);
  });
}

test('bad code: files that import each other in a circle, with stars', () => {
  const workspace = workspaceOf({
    'pkg/__init__.py': 'from .a import *\nfrom .b import run\n',
    'pkg/a.py':
      'from .b import *\nfrom . import run\nfrom torch.utils.checkpoint import checkpoint\ncheckpoint(f, run(x))\n',
    'pkg/b.py': 'from .a import *\nfrom .a import run\nfrom pkg import checkpoint as again\nagain(f, x)\n',
  });
  const file = workspace.file('/w/pkg/a.py');
  assert.ok(file);
  const found = lint(file, { rules: allRules, versions: {}, workspace, severities: {}, onCrash: throwIt });
  assert.deepEqual(
    found.map(({ code }) => code),
    ['AC101'],
  );
});

function throwIt(_: Rule, error: unknown): never {
  throw error;
}
