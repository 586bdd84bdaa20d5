import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { isImplicit, isReentrant } from '../../sites/checkpointSite.ts';
import { isBefore } from '../../torch/version.ts';
import { needsNonReentrant } from '../needsNonReentrant.ts';

/** Options the reentrant variant takes and never looks at; before these versions they were no options at all. */
const ignored = [
  { name: 'determinism_check', since: [2, 1], instead: 'never compares what it recomputes' },
  { name: 'early_stop', since: [2, 9], instead: 'always reruns the whole region' },
] as const;

export const rule: Rule = {
  code: 'AC103',
  name: 'reentrant-ignored-option',
  severity: 'information',
  summary: '`determinism_check` or `early_stop` under the reentrant variant, which ignores them',
  *check({ module, sites, versions, names }): Generator<Finding> {
    for (const site of sites) {
      if (site.function !== 'checkpoint' || !isReentrant(site) || site.configuresOnly) continue;
      if (needsNonReentrant(site, names)) continue;
      for (const { name, since, instead } of ignored) {
        const option = keywordNamed(site.given, name);
        if (option === undefined || isBefore(versions.torch, since[0], since[1])) continue;
        const variant = isImplicit(site) ? "the reentrant variant, torch's default," : 'the reentrant variant';
        const toFalse = setUseReentrant(module, site, false);
        const without = option.preset ? [] : removeArguments(module, site.call, [option.argument]);
        const fixes: Fix[] = [];
        // Where the variant was never chosen, choosing it comes first: afterwards the option may have its effect.
        if (without.length > 0 && option.argument.kind === 'keyword') {
          fixes.push({ title: `Remove ${name}`, preferred: !isImplicit(site), edits: without });
        }
        if (toFalse !== undefined) {
          const title = isImplicit(site) ? 'Add use_reentrant=False' : 'Change to use_reentrant=False';
          fixes.push({ title: `${title} (then ${name} counts)`, preferred: false, edits: toFalse });
        }
        const at = option.preset ? site.call.callee : option.argument;
        yield { at, about: site.call, message: `${name} has no effect: ${variant} ${instead}`, fixes };
      }
    }
  },
};
