import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { lintConfigText, lintText } from '../../support/lint.ts';

const head = 'from torch.utils.checkpoint import checkpoint\n';

const cases: readonly [title: string, body: string, expected: string][] = [
  ['behind code', 'f(x)  # checkpoint-lens: ignore[AC101]\n', 'f(x)\n'],
  ['behind code, without a code', 'f(x)  # checkpoint-lens: ignore\n', 'f(x)\n'],
  ['a whole file', '# checkpoint-lens: ignore-file\nf(x)\n', 'f(x)\n'],
  ['on a line of its own', 'if f:\n    # noqa: AC101\n    f(x)\n', 'if f:\n    f(x)\n'],
  ['with Windows line endings', 'f(x)\r\n# noqa: AC101\r\nf(x)\r\n', 'f(x)\r\nf(x)\r\n'],
  ['at the end of the file', 'f(x)\n# noqa: AC101', 'f(x)\n'],
  ['with its reason', 'f(x)  # checkpoint-lens: ignore[AC101] old weights\n', 'f(x)\n'],
  ['behind another comment', 'f(x)  # type: ignore # noqa: AC101\n', 'f(x)  # type: ignore\n'],
  ['before another comment', 'f(x)  # noqa: AC101 # type: ignore\n', 'f(x)  # type: ignore\n'],
  ['beside the code of another tool', 'f(x)  # noqa: E501, AC101\n', 'f(x)  # noqa: E501\n'],
  ['between codes of another tool', 'f(x)  # noqa: E501,AC101 W291\n', 'f(x)  # noqa: E501, W291\n'],
  ['two of three', 'checkpoint(f, x)  # noqa: AC102, AC101, AC104\n', 'checkpoint(f, x)  # noqa: AC101\n'],
];

for (const [title, body, expected] of cases) {
  test(`superfluous comment: ${title}`, () => {
    const text = head + body;
    const [finding, ...others] = lintText(text);
    assert.deepEqual([finding?.code, others], ['AC801', []]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    assert.equal(fixed, head + expected);
    assert.deepEqual(
      lintText(fixed).filter(({ code }) => code === 'AC801'),
      [],
    );
  });
}

test('a comment in JSON', () => {
  const settings = '{\n  "zero_optimization": {"stage": 2}';
  const text = `${settings} // checkpoint-lens: ignore[AC701]\n}\n`;
  const [finding] = lintConfigText(text, 'json');
  assert.equal(finding?.code, 'AC801');
  assert.equal(applyEdits(text, finding?.fixes[0]?.edits ?? []), `${settings}\n}\n`);
});
