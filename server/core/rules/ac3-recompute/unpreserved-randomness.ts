import type { Finding, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { checkpointedRegions } from '../checkpointedRegions.ts';
import { seedsItself, unpreservedDraws } from '../outsideRandomness.ts';
import { isGuarded, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC303',
  name: 'unpreserved-randomness',
  severity: 'error',
  summary: 'random numbers from Python, NumPy or an own generator inside a region: torch keeps only its own state',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const checkpointed of checkpointedRegions(context)) {
      const { given, region } = checkpointed;
      // A context_fn may put back any state it likes.
      if (keywordNamed(given, 'context_fn') !== undefined || given.openKeywords) continue;
      const { bodies } = region();
      if (bodies.some(seedsItself)) continue;
      for (const body of bodies) {
        for (const { call, draw } of unpreservedDraws(body)) {
          if (isGuarded(body.file, call)) continue;
          const { at, about, where } = placeInRegion(context, checkpointed, body.file, call.callee);
          if (reported.has(at.start)) continue;
          reported.add(at.start);
          yield {
            at,
            about,
            message: `${draw} in the recomputation ${where}, and checkpoint only restores torch's default generators: gradients are silently wrong`,
            fixes: [],
          };
        }
      }
    }
  },
};
