import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, Statement } from '../../python/ast.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import type { RegionBody } from '../../sites/region.ts';
import type { Span } from '../../text/span.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { isGuarded, placeInRegion, statementsRun, testsAround } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC304',
  name: 'side-effect-in-region',
  severity: 'warning',
  summary: 'an append, a counter or another change of outside state that happens again in the recomputation',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sites) {
      for (const body of context.region(site).bodies) {
        for (const effect of effectsOf(body)) {
          const finding = findingFor(context, site, body, effect);
          if (reported.has(finding.at.start)) continue;
          reported.add(finding.at.start);
          yield finding;
        }
      }
    }
  },
};

interface Effect {
  readonly span: Span;
  readonly what: string;
}

function findingFor(context: LintContext, site: CheckpointSite, body: RegionBody, effect: Effect): Finding {
  const { at, about, where } = placeInRegion(context, site, body.file, effect.span);
  const unless = isReentrant(site) ? '' : ', unless it stands behind the last tensor that backward needs';
  return {
    at,
    about,
    message: `${effect.what} happens twice per step ${where}: once in forward, once more when backward recomputes it${unless}`,
    fixes: [],
  };
}

/** Changes of state that outlives the region and differs when made twice. */
function effectsOf(body: RegionBody): Effect[] {
  const statements = [...statementsRun(body)];
  const outer = new Set(statements.flatMap((one) => (one.kind === 'global' ? one.names : [])));
  const reset = new Set(statements.flatMap((one) => resets(one, body)));
  return statements.flatMap((statement) => {
    const effect = effectOf(statement, body, outer);
    return effect === undefined || reset.has(effect.key) || !isUnconditional(body.file, statement) ? [] : [effect];
  });
}

/** A change under a condition may be the exception; one for training alone is not. */
const isUnconditional = (file: SourceFile, statement: Statement): boolean =>
  !isGuarded(file, statement) &&
  testsAround(file, statement).every((test) => file.module.text.slice(test.start, test.end) === 'self.training');

function effectOf(
  statement: Statement,
  body: RegionBody,
  outer: ReadonlySet<string>,
): (Effect & { readonly key: string }) | undefined {
  const { text } = body.file.module;
  if (statement.kind === 'augmentedAssign') {
    const { target } = statement;
    const key = stateOf(target, body) ?? (target.kind === 'name' && outer.has(target.name) ? target.name : undefined);
    const written = text.slice(target.start, target.end);
    return key === undefined ? undefined : { span: target, key, what: `${written} ${statement.operator}` };
  }
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return undefined;
  const { callee } = statement.value;
  if (callee.kind !== 'attribute' || !growing.has(callee.attribute.name)) return undefined;
  const key = stateOf(callee.object, body);
  return key === undefined ? undefined : { span: callee, key, what: text.slice(callee.start, callee.end) };
}

const growing: ReadonlySet<string> = new Set([
  'append',
  'extend',
  'appendleft',
  'insert',
  'add_',
  'sub_',
  'mul_',
  'lerp_',
]);

/** `self.name` of the region's own object, or the name of a module's global that holds a list. */
function stateOf(expression: Expression, { file }: RegionBody): string | undefined {
  if (expression.kind === 'attribute') {
    return file.names.classOfSelf(expression.object) === undefined ? undefined : `self.${expression.attribute.name}`;
  }
  if (expression.kind !== 'name') return undefined;
  const bindings = file.names.bindingsOf(expression);
  const isGlobalList = bindings.some(
    ({ scope, ...binding }) => scope.kind === 'module' && binding.to === 'value' && binding.value.kind === 'list',
  );
  return isGlobalList ? expression.name : undefined;
}

/** What the body itself sets to a new value first counts from there in both passes. */
function resets(statement: Statement, body: RegionBody): string[] {
  if (statement.kind === 'assign') {
    return statement.targets.flatMap((target) => {
      const key = stateOf(target, body) ?? (target.kind === 'name' ? target.name : undefined);
      return key === undefined ? [] : [key];
    });
  }
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return [];
  const { callee } = statement.value;
  if (callee.kind !== 'attribute' || !/^(clear|zero_|fill_|copy_|pop)$/.test(callee.attribute.name)) return [];
  const key = stateOf(callee.object, body);
  return key === undefined ? [] : [key];
}
