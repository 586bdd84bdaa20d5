import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Call } from '../../python/ast.ts';
import { isBefore } from '../../torch/version.ts';

export const rule: Rule = {
  code: 'AC112',
  name: 'decorator-form-too-new',
  severity: 'error',
  summary: '`checkpoint(…)` without a function where torch is older than 2.14',
  *check(context): Generator<Finding> {
    const { sites, versions } = context;
    if (versions.torch === undefined || !isBefore(versions.torch, 2, 14)) return;
    const { major, minor } = versions.torch;
    for (const site of sites) {
      if (site.function !== 'checkpoint' || !site.configuresOnly || site.given.openKeywords) continue;
      const message = `raises TypeError: checkpoint() missing 1 required positional argument: 'function'; this form needs torch 2.14, and ${major}.${minor} is used here`;
      yield { at: site.call, about: site.call, message, fixes: callForm(site.call, context) };
    }
  },
};

/** `checkpoint(…)(function)(x)` becomes `checkpoint(function, x, …)`. A decorator has no call to put the function into. */
function callForm(configured: Call, { calls, module: { text } }: LintContext): Fix[] {
  const applied = calls.all().find((call) => call.callee === configured);
  const run = calls.all().find((call) => call.callee === applied);
  const [only, ...others] = applied?.arguments ?? [];
  if (run === undefined || only?.kind !== 'positional' || others.length > 0) return [];
  const given = [only, ...run.arguments, ...configured.arguments].map((one) => text.slice(one.start, one.end));
  const callee = text.slice(configured.callee.start, configured.callee.end);
  const edits = [{ span: { start: run.start, end: run.end }, text: `${callee}(${given.join(', ')})` }];
  return [{ title: 'Pass the function to checkpoint', preferred: true, edits }];
}
