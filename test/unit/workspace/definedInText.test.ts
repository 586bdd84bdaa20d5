import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulePages } from '../../../server/core/rules/generated/pages.ts';
import { definedInText, givesNothingBack } from '../../../server/core/workspace/definedInText.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';
import { readPage } from '../../support/rulePage.ts';

/** What the parsed module says of `name`, which the text alone may say too but never otherwise. */
function definedIn(text: string, name: string): string | undefined {
  const bindings = sourceFile('/w/a.py', parsePython(text)).names.moduleBindings(name);
  const [binding] = bindings;
  return bindings.length === 1 && binding?.to === 'definition' ? binding.definition.kind : undefined;
}

const plain: readonly (readonly [title: string, text: string, expected: 'function' | 'class'])[] = [
  ['a function', 'def f(x):\n    return x\n', 'function'],
  ['a class', 'class f:\n    pass\n', 'class'],
  ['an async function', 'import a\nasync def f():\n    pass\n', 'function'],
  ['one that is used', 'def f(x):\n    return x\ny = f(1)\nprint(f, f"{f}")\n', 'function'],
  ['one imported before', 'from a import f\ndef f():\n    pass\n', 'function'],
];
for (const [title, text, expected] of plain) {
  test(`the text tells of ${title}`, () => {
    assert.equal(definedInText({ text }, 'f'), expected);
    assert.equal(definedIn(text, 'f'), expected);
  });
}

const unclear: readonly (readonly [title: string, text: string])[] = [
  ['nothing', 'x = 1\n'],
  ['a longer name', 'def ff():\n    pass\n'],
  ['a method', 'class A:\n    def f(self):\n        pass\n'],
  ['one in a branch', 'if a:\n    def f():\n        pass\n'],
  ['one replaced by an import', 'def f():\n    pass\ntry:\n    from a import f\nexcept ImportError:\n    pass\n'],
  ['one replaced by an import over lines', 'def f():\n    pass\nfrom a import (\n    g,\n    f,\n)\n'],
  ['one replaced under another name', 'def f():\n    pass\nfrom a import g as f\n'],
  ['one replaced by a value', 'def f():\n    pass\nf = g(f)\n'],
  ['one replaced among others', 'def f():\n    pass\nf, g = a\n'],
  ['one replaced over lines', 'def f():\n    pass\n(\n    f,\n    g,\n) = a\n'],
  ['one replaced by a loop', 'def f():\n    pass\nfor f in a:\n    pass\n'],
  ['one that a star may replace', 'def f():\n    pass\nfrom a import *\n'],
  ['one in a text', 'from a import f\n"""\ndef f():\n    pass\n"""\n'],
];
for (const [title, text] of unclear) {
  test(`the text does not tell of ${title}`, () => assert.equal(definedInText({ text }, 'f'), undefined));
}

test('what the text tells is what the parsed module says, for every name of all rule pages and goldens', () => {
  const pages = [...rulePages.values()].flatMap((page) => readPage(page).map(({ source }) => source));
  const apply = 'test/unit/apply/edited';
  const files = readdirSync(apply).map((name) => readFileSync(`${apply}/${name}`, 'utf8'));
  let told = 0;
  for (const text of [...pages, ...files, ...plain.map(([, one]) => one), ...unclear.map(([, one]) => one)]) {
    for (const name of new Set(text.match(/[A-Za-z_]\w*/g))) {
      const kind = definedInText({ text }, name);
      if (kind === undefined) continue;
      told++;
      assert.equal(definedIn(text, name), kind, `${name} in:\n${text}`);
    }
  }
  assert.ok(told > 100);
});

const calls: readonly (readonly [title: string, text: string, expected: boolean])[] = [
  ['a class', 'class f:\n    pass\n', true],
  ['a function without a value', 'def f(x):\n    print(x)\ndef g():\n    return 1\n', true],
  ['a function with one', 'def f(x):\n    return x\n', false],
  ['a decorated function', '@g\ndef f(x):\n    return x\n', true],
  ['a coroutine', 'async def f(x):\n    return x\n', true],
  ['one behind a text that begins lines', 'def f(x):\n    """A text\nover lines.\n"""\n    return x\n', false],
  ['one over lines', 'def f(\n    x,\n):\n    return x\n', false],
  ['what is not known', 'f = g\n', false],
];
for (const [title, text, expected] of calls) {
  test(`calling ${title} ${expected ? 'gives nothing back' : 'may give something back'}`, () =>
    assert.equal(givesNothingBack({ text }, ['f']), expected));
}

const members: readonly (readonly [title: string, text: string, expected: boolean])[] = [
  ['a method with a value', 'class A:\n    def f(x):\n        return x\n', false],
  ['one without', 'class A:\n    def f(x):\n        print(x)\n    def g(x):\n        return x\n', true],
  ['one over lines', 'class A:\n    def f(\n        x,\n    ):\n        return x\n', false],
  ['a static method', 'class A:\n    @staticmethod\n    def f(x):\n        return x\n', true],
  ['one of two', 'class A:\n    def f(x):\n        pass\n    def f(x):\n        return x\n', false],
  ['one that is not there', 'class A(B):\n    def g(x):\n        return x\n', true],
  ['what hangs on a function', 'def A(x):\n    return x\n', true],
  ['what hangs on something else', 'A = B\n', false],
];
for (const [title, text, expected] of members) {
  test(`calling ${title} of a class ${expected ? 'gives nothing back' : 'may give something back'}`, () =>
    assert.equal(givesNothingBack({ text }, ['A', 'f']), expected));
}
