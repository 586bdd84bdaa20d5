import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../../server/core/lint/fixAll.ts';
import { allRules, rulePages } from '../../../server/core/rules/generated/registry.ts';
import { lintText, whereIs } from '../../support/lint.ts';
import { parsePython } from '../../support/python.ts';
import { readPage } from '../../support/rulePage.ts';

for (const rule of allRules) {
  const page = rulePages.get(rule.code) ?? '';
  const check = (text: string) => lintText(text, { rules: [rule] });

  for (const { line, heading, source, expected, fixed } of readPage(page)) {
    test(`${rule.code} page, line ${line}: ${heading.toLowerCase()}`, () => {
      assert.deepEqual(parsePython(source).unreliable, [], 'the page shows code that parses');
      const found = check(source);
      assert.deepEqual(
        found.map((diagnostic) => whereIs(source, diagnostic)),
        expected.map(({ where }) => where),
      );
      found.forEach(({ message }, index) => {
        const wanted = expected[index]?.message ?? '';
        assert.ok(message.includes(wanted), `"${message}" should contain "${wanted}"`);
      });
      if (fixed === undefined) return;
      assert.equal(fixAll(source, check).text, fixed);
      assert.deepEqual(check(fixed), [], 'the fix silences the rule');
    });
  }

  test(`${rule.code} page says what the rule says`, () => {
    assert.ok(page.startsWith(`# ${rule.name} (${rule.code})\n`), 'title');
    assert.ok(page.includes(`\n- Severity: ${rule.severity}\n`), 'severity');
    for (const heading of ['## Why', '## Fix', '## Flagged', '## Not flagged', '## References']) {
      assert.ok(page.includes(`\n${heading}\n`), heading);
    }
    const cases = readPage(page);
    assert.ok(cases.some(({ heading }) => heading === 'Not flagged'));
    assert.ok(cases.every(({ heading, expected }) => (heading === 'Flagged') === expected.length > 0));
  });
}

test('codes and names are unique, and names read as a pattern', () => {
  assert.equal(new Set(allRules.map(({ code }) => code)).size, allRules.length);
  assert.equal(new Set(allRules.map(({ name }) => name)).size, allRules.length);
  for (const { code, name } of allRules) {
    assert.match(code, /^AC\d{3}$/);
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
