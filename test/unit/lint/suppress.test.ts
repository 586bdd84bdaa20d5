import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesIn } from '../../support/lint.ts';

const head = 'from torch.utils.checkpoint import checkpoint\n';

const cases: readonly [title: string, body: string, expected: readonly string[]][] = [
  ['nothing asks for silence', 'checkpoint(f, x)', ['AC101']],
  ['noqa with the code', 'checkpoint(f, x)  # noqa: AC101', []],
  ['noqa without a code', 'checkpoint(f, x)  # noqa', []],
  ['noqa among other codes', 'checkpoint(f, x)  # noqa: E501, AC101', []],
  ['noqa for another tool', 'checkpoint(f, x)  # noqa: E501', ['AC101']],
  ['noqa in small letters without a space', 'checkpoint(f, x)  #noqa:ac101', []],
  ['noqa behind another comment', 'checkpoint(f, x)  # type: ignore # noqa: AC101', []],
  ['own form', 'checkpoint(f, x)  # checkpoint-lens: ignore[AC101]', []],
  ['own form with several codes', 'checkpoint(f, x, m=1)  # checkpoint-lens: ignore[AC101, AC102]', []],
  ['own form with the name', 'checkpoint(f, x)  # checkpoint-lens: ignore[implicit-use-reentrant]', []],
  ['own form for everything', 'checkpoint(f, x, m=1)  # checkpoint-lens: ignore', []],
  ['own form for another rule', 'checkpoint(f, x)  # checkpoint-lens: ignore[AC201]', ['AC101', 'AC801']],
  ['one of two rules', 'checkpoint(f, x, m=1)  # noqa: AC102', ['AC101']],
  ['on the first line of a call', 'checkpoint(  # noqa: AC101\n    f,\n    x,\n)', []],
  ['on the last line of a call', 'checkpoint(\n    f,\n    x,\n)  # noqa: AC101', []],
  ['in the middle of a call', 'checkpoint(\n    f,  # noqa: AC101\n    x,\n)', ['AC101', 'AC801']],
  ['on the line of the keyword', 'checkpoint(\n    f,\n    x,\n    m=1,  # noqa: AC102\n)', ['AC101']],
  ['on the line before', '# noqa: AC101\ncheckpoint(f, x)', ['AC801', 'AC101']],
  ['inside a string', 'checkpoint(f, "# noqa: AC101")', ['AC101']],
  ['whole file', '# checkpoint-lens: ignore-file\n\ncheckpoint(f, x)\ncheckpoint(g, x)', []],
  ['one rule in the whole file', '# checkpoint-lens: ignore-file[AC101]\n\ncheckpoint(f, x, m=1)', ['AC102']],
  ['a code still being typed', 'checkpoint(f, x)  # noqa: AC', ['AC101']],
  ['a colon alone', 'checkpoint(f, x)  # noqa:', ['AC101']],
  ['a word with a hyphen', 'checkpoint(f, x)  # noqa-AC101', ['AC101']],
  ['a word that only begins like it', 'checkpoint(f, x)  # noqaAC101', ['AC101']],
];

for (const [title, body, expected] of cases) {
  test(`suppression: ${title}`, () => assert.deepEqual(codesIn(`${head}${body}\n`), expected));
}
