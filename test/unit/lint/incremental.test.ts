import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lint } from '../../../server/core/lint/engine.ts';
import type { Diagnostic, Rule } from '../../../server/core/lint/rule.ts';
import type { Module } from '../../../server/core/python/ast.ts';
import { namesOf } from '../../../server/core/python/names.ts';
import { expressionsOf, statementsOf } from '../../../server/core/python/walk.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { torchKnowledge } from '../../../server/core/torch/checkpointApi.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { trainingCode } from '../../bench/trainingCode.ts';
import { lintModule } from '../../support/lint.ts';
import { parsePython, pythonParser } from '../../support/python.ts';
import { workspaceOf } from '../../support/workspace.ts';

/** Statements that lean on each other: aliases, members, bases, partials, circles, conditional imports. */
const tangled = `import functools
try:
    from torch.utils.checkpoint import checkpoint
except ImportError:
    checkpoint = None
from torch.utils import checkpoint as cp
import torch, random
from torch import nn

run = checkpoint
again = run
with_options = functools.partial(again, use_reentrant=True)

def helper(f, *args):
    return checkpoint(f, *args)

def library():
    return cp

made = library()

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.call = with_options
        self.made = library()
        self.block = Block(4)

class Block(nn.Module):
    def __init__(self, n):
        self.layer = nn.Dropout(0.1)
        self.other = self.next
        self.next = self.other

    def forward(self, x, mask=None):
        x += random.random()
        return self.layer(x)

class Model(Base):
    def forward(self, x):
        for layer in self.layers:
            x = self.call(lambda y: layer(y), x)
        y = run(self.block, x, mask=None)
        x = self.made.checkpoint(self.block, x) + made.checkpoint(self.block, y)
        return cp.checkpoint(self.block, y) + helper(self.block, x) + self.next(x)

a = lambda x: b(x)
b = lambda x: a(x)
first = second
second = first
model = Model()
out = model(torch.randn(2, 4))
torch.autograd.grad(out.sum(), out)
out.backward()
`;

/** Members of a class long enough to be read one by one, which lean on each other, on the class and on the module. */
const members = `from torch.utils.checkpoint import checkpoint
from torch import nn
import functools

class Model(nn.Module):
    wrap = functools.partial(checkpoint, use_reentrant=True)
    decorate = staticmethod

    def __init__(self):
        global shared
        super().__init__()
        shared = checkpoint
        self.run = checkpoint
        self.block = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))
        self.flag = False

    @decorate
    def chosen(x):
        return checkpoint

    def pick(self):
        return self.run

    def forward(self, x):
        x = self.run(self.block, x)
        x = self.pick()(self.block, x)
        x = self.wrap(self.block, x)
        return shared(self.block, x) + self.inner(x)

    def again(self, x):
        return self.pick()(self.forward, self.chosen(x))

    class Inner(nn.Module):
        def forward(self, x):
            return checkpoint(self.inner, x)

        def inner(self, x):
            return x

    inner = Inner()
${'    def filler(self, x):\n        return self.block(x)\n\n'.repeat(16)}
model = Model()
out = model.run(model.block, 1)
out.backward()
`;

/** Regions that make a rule speak for a reason which stands elsewhere in the file: another line makes it fall silent. */
const regions = `import random, torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing, checkpoint_wrapper
from dataclasses import dataclass

preserve = False
variant = True
quiet = torch.no_grad

@dataclass
class Output:
    hidden: torch.Tensor

def plain(x):
    return x

def noisy(x):
    return x * random.random()

def detached(x):
    return x.detach()

def packed(x):
    return Output(x)

def listed(x):
    return [x, x]

def counting(x):
    seen.append(1)
    return x

def changing(x: torch.Tensor):
    x += 1
    return x

def routed(x):
    best = torch.topk(x, 2)
    return x[torch.nonzero(best)]

seen = []
run = plain

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 4)
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.1)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])
        self.others = nn.ModuleList([Block() for _ in range(4)])
        self.wrapped = checkpoint_wrapper(nn.Linear(4, 4))
        self.sharded = FullyShardedDataParallel(nn.Linear(4, 4))

    def stack(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, x, mask):
        x = checkpoint(self.stack, x, use_reentrant=variant)
        for layer in self.layers:
            x = checkpoint(layer, x, preserve_rng_state=preserve)
        for layer in self.others:
            x = layer(x)
        x = checkpoint(self.norm, x, use_reentrant=False)
        x = checkpoint(self.wrapped, x) + checkpoint(self.sharded, x, use_reentrant=True)
        if self.training:
            return checkpoint(self.block, mask, x)
        return self.block(x, mask)

class Block(nn.Module):
    def __init__(self):
        self.linear = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x, mask):
        return self.linear(x) + mask

class Noise(nn.Module):
    def forward(self, x):
        return x + random.random()

for function in [plain, noisy]:
    out = checkpoint(lambda y: function(y), torch.randn(2))
with quiet():
    out = checkpoint(run, out)
first = checkpoint(noisy, out)
second = checkpoint(detached, out, use_reentrant=True)
third = checkpoint(packed, out, use_reentrant=True)
fourth = checkpoint(listed, out)
fifth = checkpoint(counting, out)
sixth = checkpoint(changing, out)
seventh = checkpoint(routed, out, use_reentrant=False)
wrapped = checkpoint_wrapper(Block(), preserve_rng_state=preserve)
noise = checkpoint_wrapper(Noise())
apply_activation_checkpointing(model, checkpoint_wrapper_fn=checkpoint_wrapper, check_fn=lambda one: isinstance(one, Noise))
called = checkpoint(Block()(out), out)
model = torch.compile(Model())
model(torch.randn(2, 4), None).sum().backward()
`;

/** A function so long that its statements outlive an edit, whose names lean on what else it binds. */
const longFunction = `import random
from torch.utils.checkpoint import checkpoint

def noisy(x):
    return x * random.random()

def quiet(x):
    return x

def train(x, flag):
    run = quiet
    wrap = checkpoint
    for layer in layers:
        x = wrap(lambda y: layer(y), x, use_reentrant=False)
${'    x = x + 1\n    if flag:\n        x = quiet(x)\n'.repeat(100)}
    if flag:
        run = noisy
    x = wrap(run, x, use_reentrant=False)
    try:
        from torch.utils.checkpoint import checkpoint_sequential as wrap
    except ImportError:
        wrap = None
    def inner(y):
        return wrap(run, y)
    return inner(x)

train(1, True)
`;

const lines = (text: string): string[] => [...new Set(text.split(/(?<=\n)/))];
/** Whole lines of the source, so that names go and come back, and the small things a person types. */
const change = (source: string) =>
  fc.record({
    at: fc.nat(),
    removed: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(60)),
    text: fc.oneof(
      fc.constantFrom(...lines(source)),
      fc.constantFrom('', 'x', '(', ')', '\n', '    ', '#', ' = ', 'checkpoint', 'use_reentrant=False', 'def f(x):\n'),
    ),
    byLine: fc.boolean(),
  });

type Change = ReturnType<typeof change> extends fc.Arbitrary<infer T> ? T : never;

function apply(text: string, { at, removed, text: inserted, byLine }: Change): string {
  const offset = at % (text.length + 1);
  const start = byLine ? text.lastIndexOf('\n', offset) + 1 : offset;
  const lineEnd = text.indexOf('\n', start) + 1;
  const end = byLine && removed > 0 && lineEnd > 0 ? lineEnd : start + removed;
  return text.slice(0, start) + inserted + text.slice(end);
}

const plain = ({ at, about, code, severity, message, fixes }: Diagnostic) => ({
  at: `${at.start}-${at.end}`,
  about: `${about.start}-${about.end}`,
  text: `${code} ${severity} ${message}`,
  fixes: fixes.map(({ title, edits }) => [title, edits.map(({ span, text }) => `${span.start}-${span.end} ${text}`)]),
});

/** What every expression stands for, in words that do not depend on which objects say so. */
function meanings(module: Module): string[] {
  const names = namesOf(module, torchKnowledge);
  const expressions = [...expressionsOf(module)];
  const here = new Set<object>([...statementsOf(module.body), ...expressions]);
  return expressions.map((expression) => {
    const { targets, complete } = names.resolve(expression);
    const words = targets.map(({ qualified, definition, preset }) =>
      [
        qualified,
        definition?.start,
        definition === undefined || here.has(definition) ? '' : 'of another version',
        ...preset.map(({ start }) => start),
      ].join(),
    );
    const bound = expression.kind === 'name' ? names.bindingsOf(expression).map(({ from, to }) => `${to}${from}`) : [];
    return `${expression.start} ${complete} ${words.join(' ')} ${bound.join(' ')}`;
  });
}

for (const [what, source, runs] of [
  ['tangled names', tangled, 60],
  ['members of a class', members, 30],
  ['regions', regions, 40],
  ['long functions', longFunction, 25],
  ['training code', trainingCode(60), 12],
] as const) {
  test(`after any edits findings and names are those of a fresh look at the text: ${what}`, () => {
    fc.assert(
      fc.property(fc.array(change(source), { minLength: 1, maxLength: 8 }), (changes) => {
        const tracked = pythonParser.track();
        try {
          let text: string = source;
          lintModule(tracked.update(text));
          for (const one of changes) {
            text = apply(text, one);
            const module = tracked.update(text);
            assert.deepEqual(lintModule(module).map(plain), lintModule(parsePython(text)).map(plain), text);
            assert.deepEqual(meanings(module), meanings(parsePython(text)), text);
          }
        } finally {
          tracked.dispose();
        }
      }),
      { numRuns: runs },
    );
  });
}

test('what a star import brings goes with it', () => {
  const call = 'def f(x):\n    return x\n\ndef g(x):\n    return checkpoint(f, x)\n';
  const star = 'from torch.utils.checkpoint import *\n';
  const tracked = pythonParser.track();
  try {
    const codes = (text: string): string[] => lintModule(tracked.update(text)).map(({ code }) => code);
    assert.deepEqual(codes(call), []);
    assert.deepEqual(codes(star + call), ['AC101']);
    assert.deepEqual(codes(`${star}${call}#`), ['AC101']);
    assert.deepEqual(codes(call), []);
  } finally {
    tracked.dispose();
  }
});

test('a method that stands by itself again and again is no method of its class then', () => {
  const filler = '    def filler(self, x):\n        return [x, x]\n\n'.repeat(40);
  const source = (between: string): string => `import random
from torch.utils.checkpoint import checkpoint

class Model:
${filler}${between}
    def forward(self, x):
        return checkpoint(self.noisy, x, use_reentrant=False)

    def noisy(self, x):
        return x * random.random()
`;
  const tracked = pythonParser.track();
  try {
    for (const between of ['', 'a = 1\n', '', 'b = 1\n', '', 'c = 1\n']) {
      const text = source(between);
      assert.deepEqual(lintModule(tracked.update(text)).map(plain), lintModule(parsePython(text)).map(plain), between);
    }
  } finally {
    tracked.dispose();
  }
});

test('what a function means by a class goes on while another method of the class is edited', () => {
  const filler = '    def filler(self, x):\n        return [x, x]\n\n'.repeat(40);
  const source = (own: string, other: string): string => `import random
from torch.utils.checkpoint import checkpoint

class Model:
    run = staticmethod(checkpoint)

${filler}    def noisy(x):
        ${own}

    def other(self):
        ${other}

def train(x):
    return Model.run(Model.noisy, x, use_reentrant=False)
`;
  const noise = 'return x * random.random()';
  const tracked = pythonParser.track();
  try {
    const codes = (own: string, other: string): string[] =>
      lintModule(tracked.update(source(own, other))).map(({ code }) => code);
    assert.deepEqual(codes(noise, 'pass'), ['AC303']);
    assert.deepEqual(codes(noise, 'self.run = made(1)'), []);
    assert.deepEqual(codes(noise, 'return 1'), ['AC303']);
    assert.deepEqual(codes('return x', 'return 1'), []);
    assert.deepEqual(codes(noise, 'return 2'), ['AC303']);
  } finally {
    tracked.dispose();
  }
});

test('what rests on a function is asked anew where that is edited', () => {
  const filler = '    def filler(self, x):\n        return [x, x]\n\n'.repeat(100);
  const source = (made: string, chosen: string, body: string): string => `import functools, random
from torch.utils.checkpoint import checkpoint

${made}

class Layer:
${filler}    def block(x):
        ${body}

class Model:
${filler}    ${chosen}

    def alone(self, x):
        return made()(Layer.block, x)

    def forward(self, x):
        return self.chosen()(Layer.block, x)

    def handsOn(self):
        return [self.chosen, made]

    def handsOnAgain(self):
        return [self.chosen, made]

also = Layer.block

def train(x):
    return [also, Layer]
`;
  const tracked = pythonParser.track();
  try {
    const codes = (made: string, chosen: string, body = 'return x'): string[] => {
      const text = source(`def made():\n    ${made}`, `def chosen(self):\n        ${chosen}`, body);
      return codesOf(text);
    };
    const codesOf = (text: string): string[] => {
      const module = tracked.update(text);
      const fresh = parsePython(text);
      const found = lintModule(module);
      assert.deepEqual(found.map(plain), lintModule(fresh).map(plain), text);
      assert.deepEqual(meanings(module), meanings(fresh), text);
      return found.map(({ code }) => code);
    };
    const preset = 'return functools.partial(checkpoint, use_reentrant=False)';
    const random = 'return x * random.random()';
    assert.deepEqual(codes('pass', 'pass'), []);
    assert.deepEqual(codes('return checkpoint', 'pass'), ['AC101']);
    assert.deepEqual(codes('return checkpoint', 'return checkpoint'), ['AC101', 'AC101']);
    assert.deepEqual(codes(preset, 'return checkpoint'), ['AC101']);
    assert.deepEqual(codes(preset, preset), []);
    assert.deepEqual(codes(preset, preset, random), ['AC303']);
    assert.deepEqual(codes('x = 1', 'pass', random), []);
    // Another method in front of it, with a body and still without one.
    assert.deepEqual(codes('pass', 'return checkpoint'), ['AC101']);
    assert.deepEqual(codes('pass', 'return checkpoint\n\n    def chosen(self):\n        pass'), []);
    assert.deepEqual(codes('pass', 'return checkpoint'), ['AC101']);
    assert.deepEqual(codes('pass', 'return checkpoint\n\n    def chosen(self):'), []);
    assert.deepEqual(codes('pass', 'return checkpoint'), ['AC101']);
    // What a call gives back is then no more what the body returns.
    const returns = 'return checkpoint';
    for (const before of ['async ', '@change\n']) {
      assert.deepEqual(
        codesOf(source(`${before}def made():\n    ${returns}`, 'def chosen(self):\n        pass', 'return x')),
        [],
      );
      assert.deepEqual(codes(returns, 'pass'), ['AC101']);
    }
  } finally {
    tracked.dispose();
  }
});

const failed = ({ code }: Rule): never => assert.fail(code);

test('what another file says of a region is asked anew, though this file has not changed there', () => {
  const text = 'from torch.utils.checkpoint import checkpoint\nfrom other import block\ncheckpoint(block, x)\n';
  const random = 'import random\ndef block(x):\n    return x * random.random()\n';
  const still = 'def block(x):\n    return x\n';
  const tracked = pythonParser.track();
  try {
    const codes = (other: string, more: string): string[] => {
      const module = tracked.update(text + more);
      const workspace = workspaceOf({ 'other.py': other });
      const options = { rules: allRules, versions: {}, severities: {}, workspace, onCrash: failed };
      return lint(sourceFile('/w/test.py', module, workspace), options).map(({ code }) => code);
    };
    assert.deepEqual(codes(still, ''), ['AC101']);
    assert.deepEqual(codes(random, '#'), ['AC101', 'AC303']);
    assert.deepEqual(codes(random, '##'), ['AC101', 'AC303']);
    assert.deepEqual(codes(still, '###'), ['AC101']);
  } finally {
    tracked.dispose();
  }
});
