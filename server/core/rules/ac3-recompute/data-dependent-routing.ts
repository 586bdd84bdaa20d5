import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call } from '../../python/ast.ts';
import { oncePer } from '../../python/oncePer.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import type { RegionBody } from '../../sites/region.ts';
import { callsRun, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC309',
  name: 'data-dependent-routing',
  severity: 'information',
  summary:
    'a router picks experts inside a region and the picks decide shapes: a tie that flips breaks the recomputation',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sitesWhere(routes, (one) => routingOf(one, context) !== undefined)) {
      const routing = routingOf(site, context);
      if (routing === undefined) continue;
      const { pick, sized } = routing;
      const { at, about, where } = placeInRegion(context, site, pick.body.file, pick.call.callee);
      if (reported.has(at.start)) continue;
      reported.add(at.start);
      const [name, size] = [functionName(pick.call, pick.body), functionName(sized.call, sized.body)];
      yield {
        at,
        about,
        message: `${name} ${where} picks again in the recomputation and ${size} makes shapes from it: one token that flips raises CheckpointError, so save the router's output or leave it outside`,
        fixes: [],
      };
    }
  },
};

const routes = Symbol('region that routes by its data');

interface CallInRegion {
  readonly call: Call;
  readonly body: RegionBody;
}

/** What picks, and what makes shapes from it. */
function routingOf(
  site: CheckpointSite,
  context: LintContext,
): { readonly pick: CallInRegion; readonly sized: CallInRegion } | undefined {
  // Selective checkpointing can keep what the router picked.
  if (keywordNamed(site.given, 'context_fn') !== undefined || site.given.openKeywords) return undefined;
  const calls = context.region(site).bodies.flatMap(callsThatMatter);
  const pick = calls.find(({ call, body }) => picks.has(functionName(call, body)));
  const sized = calls.find(({ call, body }) => isSized(call, body));
  return pick === undefined || sized === undefined ? undefined : { pick, sized };
}

const picks: ReadonlySet<string> = new Set(['topk', 'argmax']);
const sizing: ReadonlySet<string> = new Set(['nonzero', 'bincount', 'masked_select', 'tolist', 'histc']);

const callsThatMatter = (body: RegionBody): readonly CallInRegion[] =>
  callsNamedSo(body.callable).map((call) => ({ call, body }));

const callsNamedSo = oncePer((callable: RegionBody['callable']): readonly Call[] =>
  callsRun({ callable }).filter(({ callee }) => {
    const name = callee.kind === 'attribute' ? callee.attribute.name : '';
    return picks.has(name) || sizing.has(name) || name === 'where';
  }),
);

/** Calls whose result has as many elements as the data says. */
function isSized(call: Call, body: RegionBody): boolean {
  const name = functionName(call, body);
  if (name === 'where') return call.arguments.length === 1;
  return sizing.has(name);
}

/** `torch.topk(x)` and `x.topk()` alike; a function of another library or of the file is neither. */
function functionName({ callee }: Call, { file }: RegionBody): string {
  if (callee.kind !== 'attribute') return '';
  const { name } = callee.attribute;
  const qualified = file.names.qualifiedName(callee);
  if (qualified === undefined) return file.names.classOfSelf(callee.object) === undefined ? name : '';
  return qualified === `torch.${name}` ? name : '';
}
