import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { isImplicit, isReentrant } from '../../sites/checkpointSite.ts';
import { hasContextFn } from '../../torch/checkpointApi.ts';
import { nonReentrantOnly } from '../needsNonReentrant.ts';

export const rule: Rule = {
  code: 'AC201',
  name: 'reentrant-selective',
  severity: 'error',
  summary: 'selective checkpointing, `debug` or saved-tensor hooks under the reentrant variant',
  *check({ module, sites, names, versions }): Generator<Finding> {
    for (const site of sites) {
      if (!isReentrant(site) || site.configuresOnly) continue;
      const [option] = nonReentrantOnly(site, names);
      if (option === undefined) continue;
      const why = isImplicit(site) ? ', and absent means True' : '';
      const message = `raises ValueError: ${option.name} needs use_reentrant=False${why}`;
      const edits = hasContextFn(versions.torch) ? setUseReentrant(module, site, false) : undefined;
      const fixes: Fix[] = edits === undefined ? [] : [{ title: fixTitle(isImplicit(site)), preferred: true, edits }];
      yield { at: option.preset ? site.call.callee : option.argument, about: site.call, message, fixes };
    }
  },
};

const fixTitle = (implicit: boolean): string =>
  implicit ? 'Add use_reentrant=False' : 'Change to use_reentrant=False';
