import type { Finding, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { RegionBody } from '../../sites/region.ts';
import { type CheckpointedRegion, regionsWhere } from '../checkpointedRegions.ts';
import { seedsItself, type UnpreservedDraw, unpreservedDraws } from '../outsideRandomness.ts';
import { isGuarded, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC303',
  name: 'unpreserved-randomness',
  severity: 'error',
  summary: 'random numbers from Python, NumPy or an own generator inside a region: torch keeps only its own state',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const checkpointed of regionsWhere(context, draws, (one) => drawingBodies(one).length > 0)) {
      for (const body of drawingBodies(checkpointed)) {
        for (const { call, draw } of drawsIn(body)) {
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

const draws = Symbol('region that draws what torch does not keep');

function drawingBodies({ given, region }: CheckpointedRegion): readonly RegionBody[] {
  // A context_fn may put back any state it likes.
  if (keywordNamed(given, 'context_fn') !== undefined || given.openKeywords) return [];
  const { bodies } = region();
  return bodies.some(seedsItself) ? [] : bodies.filter((body) => drawsIn(body).length > 0);
}

const drawsIn = (body: RegionBody): readonly UnpreservedDraw[] =>
  unpreservedDraws(body).filter(({ call }) => !isGuarded(body.file, call));
