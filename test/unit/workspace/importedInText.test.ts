import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulePages } from '../../../server/core/rules/generated/pages.ts';
import { importedInText } from '../../../server/core/workspace/importedInText.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';
import { readPage } from '../../support/rulePage.ts';

/** What the parsed module says of `name`, which the text alone may say too but never otherwise. */
function importedAs(text: string, name: string): string | undefined {
  const bindings = sourceFile('/w/a.py', parsePython(text)).names.moduleBindings(name);
  const [binding] = bindings;
  return bindings.length === 1 && binding?.to === 'import' ? binding.qualified : undefined;
}

const plain: readonly (readonly [title: string, text: string, expected: string])[] = [
  ['a name', 'from a.b import f\n', 'a.b.f'],
  ['a name of the package', 'from . import f\n', '.f'],
  ['a name of a module beside it', 'from ..a import f  # noqa\n', '..a.f'],
  ['another name', 'from a import g as f, h\n', 'a.g'],
  ['a name among others over lines', 'from a import (\n    g,  # first\n    f as f,\n    h\n)\n', 'a.f'],
  ['a module', 'import g, f\n', 'f'],
  ['the package of a module', 'import f.b\n', 'f'],
  ['a module under another name', 'import a.b as f\n', 'a.b'],
  ['one that is used', 'from a import f\ny = f(1)\n', 'a.f'],
  ['one behind a function', 'def g():\n    f = 1\nfrom a import f\n', 'a.f'],
  ['one with Windows line ends', 'import g\r\nfrom a import f\r\n', 'a.f'],
];
for (const [title, text, expected] of plain) {
  test(`the text tells of ${title}`, () => {
    assert.equal(importedAs(text, 'f'), expected);
    assert.equal(importedInText({ text }, 'f'), expected);
  });
}

const unclear: readonly (readonly [title: string, text: string])[] = [
  ['nothing', 'x = 1\n'],
  ['a longer name', 'from a import ff\n'],
  ['one in a branch', 'if a:\n    from a import f\n'],
  ['one in a function', 'def g():\n    from a import f\n'],
  ['one in a string', 'x = """\nfrom a import f\n"""\n'],
  ['two', 'from a import f\nfrom b import f\n'],
  ['one that may be replaced', 'from a import f\ntry:\n    from b import f\nexcept ImportError:\n    pass\n'],
  ['one replaced by a function', 'from a import f\ndef f():\n    pass\n'],
  ['one replaced in a branch', 'from a import f\nif a:\n    def f():\n        pass\n'],
  ['one replaced by a value', 'from a import f\nf = g(f)\n'],
  ['one replaced among others', 'from a import f\n(g,\n f) = a\n'],
  ['one replaced from a function', 'from a import f\ndef g():\n    global f\n    f = 1\n'],
  ['one replaced in passing', 'from a import f\nprint(f := 1)\n'],
  ['a loop over it', 'from a import f\nfor f in a:\n    pass\n'],
  ['a second statement', 'from a import f; f = 1\n'],
  ['what the language will have', 'from __future__ import f\n'],
];
for (const [title, text] of unclear) {
  test(`the text does not tell of ${title}`, () => assert.equal(importedInText({ text }, 'f'), undefined));
}

test('no page of a rule says otherwise once it is parsed', () => {
  let said = 0;
  for (const page of rulePages.values()) {
    for (const { language, source } of readPage(page)) {
      if (language !== 'python') continue;
      for (const name of new Set(source.match(/\b[A-Za-z_]\w*/g))) {
        const imported = importedInText({ text: source }, name);
        if (imported === undefined) continue;
        said++;
        assert.equal(imported, importedAs(source, name), `${name} in:\n${source}`);
      }
    }
  }
  assert.ok(said > 400, String(said));
});
