import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulePages } from '../../../server/core/rules/generated/pages.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { testRulePage } from '../../support/rulePageTests.ts';

for (const rule of allRules) testRulePage(rule, rulePages.get(rule.name) ?? '');

test('codes and names are unique, and names read as a pattern', () => {
  assert.equal(new Set(allRules.map(({ code }) => code)).size, allRules.length);
  assert.equal(new Set(allRules.map(({ name }) => name)).size, allRules.length);
  for (const { code, name } of allRules) {
    assert.match(code, /^AC\d{3}$/);
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
