import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { type CheckpointSite, isImplicit } from '../../sites/checkpointSite.ts';
import { hasContextFn, hasUseReentrant } from '../../torch/checkpointApi.ts';
import { isAtLeast } from '../../torch/version.ts';
import { needsNonReentrant } from '../needsNonReentrant.ts';
import { partitionsFrozenParameters } from '../zeroStage3.ts';

export const rule: Rule = {
  code: 'AC101',
  name: 'implicit-use-reentrant',
  severity: 'warning',
  summary: '`checkpoint` or `checkpoint_sequential` without `use_reentrant`',
  *check(context): Generator<Finding> {
    const { module, sites, versions, names } = context;
    if (!hasUseReentrant(versions.torch)) return;
    const implicit = sites.filter((site) => isImplicit(site) && !site.configuresOnly);
    if (implicit.length === 0) return;
    const preferred = isSafe(context);
    for (const site of implicit) {
      const fixes: Fix[] = [];
      const toFalse = setUseReentrant(module, site, false);
      const toTrue = setUseReentrant(module, site, true);
      if (toFalse !== undefined) fixes.push({ title: 'Add use_reentrant=False', preferred, edits: toFalse });
      // Where today's behaviour is an exception there is nothing to keep.
      if (toTrue !== undefined && !needsNonReentrant(site, names)) {
        fixes.push({ title: "Add use_reentrant=True (keeps today's behaviour)", preferred: false, edits: toTrue });
      }
      yield { at: site.call.callee, about: site.call, message: message(site, hasContextFn(versions.torch)), fixes };
    }
  },
};

/** The one case in which the recommended variant may fail where today's does not, unless DeepSpeed is new enough. */
function isSafe(context: LintContext): boolean {
  return isAtLeast(context.versions.deepspeed, 0, 19, 3) || !partitionsFrozenParameters(context);
}

function message(site: CheckpointSite, warns: boolean): string {
  const what =
    site.useReentrant.kind === 'none' ? 'use_reentrant=None counts as not given' : 'use_reentrant is not given';
  return `${what}: torch ${warns ? 'warns and ' : ''}takes the reentrant variant`;
}
