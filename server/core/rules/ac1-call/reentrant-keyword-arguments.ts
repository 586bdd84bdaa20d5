import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { isImplicit, isReentrant } from '../../sites/checkpointSite.ts';
import { nonReentrantTakesKeywords } from '../../torch/checkpointApi.ts';
import { forwardedKeywords } from '../needsNonReentrant.ts';

export const rule: Rule = {
  code: 'AC102',
  name: 'reentrant-keyword-arguments',
  severity: 'error',
  summary: 'keyword arguments for the function under the reentrant variant',
  *check({ module, sites, versions }): Generator<Finding> {
    for (const site of sites) {
      if (!isReentrant(site) || site.configuresOnly) continue;
      const keywords = forwardedKeywords(site);
      const [first] = keywords;
      if (first === undefined) continue;
      const list = keywords.map(({ name }) => name).join(', ');
      const variant = isImplicit(site) ? "the reentrant variant, torch's default," : 'the reentrant variant';
      const message = `raises ValueError: ${variant} takes no keyword arguments (${list})`;
      const edits = nonReentrantTakesKeywords(versions.torch) ? setUseReentrant(module, site, false) : undefined;
      const fixes: Fix[] = edits === undefined ? [] : [{ title: fixTitle(isImplicit(site)), preferred: true, edits }];
      yield { at: first.preset ? site.call.callee : first.argument, about: site.call, message, fixes };
    }
  },
};

const fixTitle = (implicit: boolean): string =>
  implicit ? 'Add use_reentrant=False' : 'Change to use_reentrant=False';
