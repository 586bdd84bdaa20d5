import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { type CheckpointSite, isImplicit } from '../../sites/checkpointSite.ts';
import { hasContextFn, hasUseReentrant } from '../../torch/checkpointApi.ts';
import { needsNonReentrant } from '../needsNonReentrant.ts';

export const rule: Rule = {
  code: 'AC101',
  name: 'implicit-use-reentrant',
  severity: 'warning',
  summary: '`checkpoint` or `checkpoint_sequential` without `use_reentrant`',
  *check({ module, sites, versions, names }): Generator<Finding> {
    if (!hasUseReentrant(versions.torch)) return;
    for (const site of sites) {
      if (!isImplicit(site) || site.configuresOnly) continue;
      const fixes: Fix[] = [];
      const toFalse = setUseReentrant(module, site, false);
      const toTrue = setUseReentrant(module, site, true);
      if (toFalse !== undefined) fixes.push({ title: 'Add use_reentrant=False', preferred: true, edits: toFalse });
      // Where today's behaviour is an exception there is nothing to keep.
      if (toTrue !== undefined && !needsNonReentrant(site, names)) {
        fixes.push({ title: "Add use_reentrant=True (keeps today's behaviour)", preferred: false, edits: toTrue });
      }
      yield { at: site.call.callee, about: site.call, message: message(site, hasContextFn(versions.torch)), fixes };
    }
  },
};

function message(site: CheckpointSite, warns: boolean): string {
  const what =
    site.useReentrant.kind === 'none' ? 'use_reentrant=None counts as not given' : 'use_reentrant is not given';
  return `${what}: torch ${warns ? 'warns and ' : ''}takes the reentrant variant`;
}
