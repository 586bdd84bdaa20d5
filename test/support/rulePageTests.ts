import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../server/core/lint/fixAll.ts';
import type { Rule } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { lintConfigText, lintText, unreliableIn, whereIs } from './lint.ts';
import { readPage } from './rulePage.ts';

/**
 * A rule's page is its test: every block is linted by the rule alone, and every fix applied. A rule about comments that
 * silence others needs those.
 */
export function testRulePage(rule: Rule, page: string): void {
  const rules = rule.checkComments === undefined ? [rule] : allRules;
  for (const { line, heading, language, versions, source, expected, fixed } of readPage(page)) {
    const check = (text: string) =>
      (language === 'python'
        ? lintText(text, { rules, versions })
        : lintConfigText(text, language, { rules, versions })
      ).filter(({ code }) => code === rule.code);
    test(`${rule.code} page, line ${line}: ${heading.toLowerCase()}`, () => {
      assert.deepEqual(unreliableIn(source, language), [], 'the page shows code that parses');
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
    assert.match(page, new RegExp(`\n- Severity: [^\n]*${rule.severity}`), 'severity');
    for (const heading of ['## Why', '## Fix', '## Flagged', '## Not flagged', '## References']) {
      assert.ok(page.includes(`\n${heading}\n`), heading);
    }
    const cases = readPage(page);
    assert.ok(cases.some(({ heading }) => heading === 'Not flagged'));
    assert.ok(cases.every(({ heading, expected }) => (heading === 'Flagged') === expected.length > 0));
  });
}
