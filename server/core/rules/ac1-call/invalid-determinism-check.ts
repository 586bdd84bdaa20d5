import type { Finding, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { type Constant, constantOf } from '../../python/constants.ts';
import { isBefore } from '../../torch/version.ts';

const allowed: readonly Constant[] = ['default', 'none'];

export const rule: Rule = {
  code: 'AC114',
  name: 'invalid-determinism-check',
  severity: 'error',
  summary: 'a `determinism_check` other than "default" and "none"',
  *check({ sites, names, versions }): Generator<Finding> {
    if (isBefore(versions.torch, 2, 1)) return;
    for (const site of sites) {
      const { useReentrant, given, call } = site;
      if (site.function !== 'checkpoint' || useReentrant.kind !== 'known' || useReentrant.reentrant) continue;
      const check = keywordNamed(given, 'determinism_check');
      const value = check === undefined ? undefined : constantOf(check.value, names);
      if (check === undefined || value === undefined || allowed.includes(value)) continue;
      const message = `raises ValueError: determinism_check should be one of ['default', 'none'], but got ${inPython(value)}`;
      yield { at: check.preset ? call.callee : check.argument, about: call, message, fixes: [] };
    }
  },
};

const inPython = (value: Constant): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
