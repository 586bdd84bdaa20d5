import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { type InputChange, inputChanges } from '../inputChanges.ts';
import { isGuarded, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC308',
  name: 'in-place-on-input',
  severity: 'error',
  summary: 'an in-place operation on an input of the region',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sitesWhere(changesInput, (one) => changesOfInputs(one, context).length > 0)) {
      const [entry] = context.region(site).bodies;
      if (entry === undefined) continue;
      for (const { span, what } of changesOfInputs(site, context)) {
        const { at, about, where } = placeInRegion(context, site, entry.file, span);
        if (reported.has(at.start)) continue;
        reported.add(at.start);
        const message = `${what} ${where} changes an input that backward recomputes from: ${outcome(site)}`;
        yield { at, about, message, fixes: [] };
      }
    }
  },
};

const changesInput = Symbol('region that changes an input');

function changesOfInputs(site: CheckpointSite, context: LintContext): readonly InputChange[] {
  const [entry] = site.function === 'checkpoint' ? context.region(site).bodies : [];
  return entry === undefined ? [] : inputChanges(entry).filter(({ span }) => !isGuarded(entry.file, span));
}

const outcome = (site: CheckpointSite): string =>
  isReentrant(site)
    ? 'raises RuntimeError where the input requires grad (a leaf Variable that requires grad is being used in an in-place operation) and is done twice where it does not'
    : 'raises RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation';
