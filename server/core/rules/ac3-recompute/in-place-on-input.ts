import type { Finding, Rule } from '../../lint/rule.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { inputChanges } from '../inputChanges.ts';
import { isGuarded, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC308',
  name: 'in-place-on-input',
  severity: 'error',
  summary: 'an in-place operation on an input of the region',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sites) {
      const [entry] = context.region(site).bodies;
      if (site.function !== 'checkpoint' || entry === undefined) continue;
      for (const { span, what } of inputChanges(entry)) {
        if (isGuarded(entry.file, span)) continue;
        const { at, about, where } = placeInRegion(context, site, entry.file, span);
        if (reported.has(at.start)) continue;
        reported.add(at.start);
        const message = `${what} ${where} changes an input that backward recomputes from: ${outcome(site)}`;
        yield { at, about, message, fixes: [] };
      }
    }
  },
};

const outcome = (site: CheckpointSite): string =>
  isReentrant(site)
    ? 'raises RuntimeError where the input requires grad (a leaf Variable that requires grad is being used in an in-place operation) and is done twice where it does not'
    : 'raises RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation';
