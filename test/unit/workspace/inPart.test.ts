import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Binding } from '../../../server/core/python/scope.ts';
import { rulePages } from '../../../server/core/rules/generated/pages.ts';
import { sourceFile, unreadSourceFile } from '../../../server/core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../../../server/core/workspace/workspace.ts';
import { parsePython } from '../../support/python.ts';
import { readPage } from '../../support/rulePage.ts';

const alone: Workspace = { roots: ['/w'], file: () => undefined };

function opened(text: string): { readonly file: SourceFile; parsed(): number } {
  let parsed = 0;
  const file = unreadSourceFile(
    '/w/a.py',
    text,
    (source, section) => {
      parsed += section === undefined ? source.length : section.end - section.start;
      return parsePython(source, section);
    },
    alone,
    new Map(),
  );
  return { file, parsed: () => parsed };
}

/** What a name is bound to and what it stands for, in words that do not depend on the tree. */
function meaningOf({ names, text }: SourceFile, name: string): unknown {
  const plain = (binding: Binding): unknown => {
    switch (binding.to) {
      case 'import':
        return binding.qualified;
      case 'definition':
        return [text.slice(binding.definition.start, binding.definition.end), returned(binding)];
      case 'value':
        return [text.slice(binding.value.start, binding.value.end), wordsOf(names.resolve(binding.value))];
      default:
        return binding.to;
    }
  };
  const returned = (binding: Binding): unknown =>
    binding.to === 'definition' && binding.definition.kind === 'function'
      ? wordsOf(names.returned(binding.definition))
      : undefined;
  const wordsOf = ({ targets, complete }: ReturnType<typeof names.resolve>): unknown => [
    targets.map(({ qualified, definition, preset }) => [qualified, definition?.start, preset.length]),
    complete,
  ];
  return names.moduleBindings(name).map(plain);
}

test('a part of a file says of every name what the whole says, for all rule pages and edited files', () => {
  const apply = 'test/unit/apply/edited';
  const texts = [
    ...[...rulePages.values()].flatMap((page) => readPage(page).map(({ source }) => source)),
    ...readdirSync(apply).map((name) => readFileSync(`${apply}/${name}`, 'utf8')),
  ];
  for (const text of texts) {
    const whole = opened(text).file;
    const { file } = opened(text);
    for (const name of new Set(text.match(/[A-Za-z_]\w*/g))) {
      const said = file.inPart?.(name, (part) => meaningOf(part, name));
      assert.deepEqual(said, meaningOf(whole, name), `${name} in:\n${text}`);
    }
  }
});

const cases: readonly (readonly [title: string, text: string])[] = [
  ['a name bound behind a function', 'def g():\n    pass\nf = g\n'],
  ['one that a function makes global', 'def g():\n    global f\n    f = h\ndef h():\n    pass\n'],
  ['one in a default', 'def g(x=(f := h)):\n    pass\ndef h():\n    pass\n'],
  ['one that a text only seems to bind', 'def g():\n    """\nf = 1\n"""\ndef f():\n    return g\n'],
  [
    'one bound in branches',
    'try:\n    from a import f\nexcept ImportError:\n    def f():\n        pass\ndef g():\n    pass\n',
  ],
  [
    'one that leads on to others',
    'from a import c\ndef f():\n    return g()\ndef h():\n    return 1\ndef g():\n    return c\n',
  ],
  ['one that a star brings', 'def g():\n    pass\nfrom torch.utils.checkpoint import *\nf = checkpoint\n'],
  ['lone carriage returns', 'def g():\r    pass\rf = g\rdef h():\r    pass\r'],
];
for (const [title, text] of cases) {
  test(`a part says the same of ${title}`, () => {
    const said = opened(text).file.inPart?.('f', (part) => meaningOf(part, 'f'));
    assert.deepEqual(said, meaningOf(opened(text).file, 'f'));
  });
}

test('what a question does not need is not parsed', () => {
  const rest = Array.from({ length: 50 }, (_, index) => `def other${index}(x):\n    return x + ${index}\n`).join('');
  const { file, parsed } = opened(`from a import c\n${rest}def f():\n    return c\n`);
  assert.deepEqual(
    file.inPart?.('f', ({ names }) => names.moduleBindings('f').length),
    1,
  );
  assert.ok(parsed() < 200, `${parsed()} of ${file.text.length}`);
});

test('functions of two files that give back what the other one gives end somewhere', () => {
  const texts = new Map([
    ['/w/a.py', 'from b import g\ndef f(x):\n    return g(x)\n# checkpoint\n'],
    ['/w/b.py', 'def g(x):\n    from a import f\n    return f(x)\n# checkpoint\n'],
  ]);
  const files = new Map<string, SourceFile>();
  const workspace: Workspace = {
    roots: ['/w'],
    file(path) {
      const text = texts.get(path);
      const file = files.get(path) ?? (text && unreadSourceFile(path, text, parsePython, workspace, new Map()));
      if (file) files.set(path, file);
      return file || undefined;
    },
  };
  const text = 'from a import f\ny = f(1)\n';
  const { names, module } = sourceFile('/w/c.py', parsePython(text), workspace);
  const [, assigned] = module.body;
  assert.ok(assigned?.kind === 'assign' && assigned.value !== undefined);
  assert.deepEqual(names.resolve(assigned.value), { targets: [], complete: false });
});
