import type { Finding, LintContext, Rule, Severity } from '../../lint/rule.ts';
import type { Expression, Statement } from '../../python/ast.ts';
import type { RegionBody } from '../../sites/region.ts';
import type { Span } from '../../text/span.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { type CheckpointedRegion, regionsWhere } from '../checkpointedRegions.ts';
import { isGuarded, placeInRegion, statementsRun, testsAround } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC304',
  name: 'side-effect-in-region',
  severity: 'warning',
  summary: 'an append, a counter or another change of outside state that happens again in the recomputation',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    const hasEffects = (one: CheckpointedRegion): boolean =>
      one.region().bodies.some((body) => effectsOf(body).length > 0);
    for (const checkpointed of regionsWhere(context, effectful, hasEffects)) {
      for (const body of checkpointed.region().bodies) {
        for (const effect of effectsOf(body)) {
          const finding = findingFor(context, checkpointed, body, effect);
          if (reported.has(finding.at.start)) continue;
          reported.add(finding.at.start);
          yield finding;
        }
      }
    }
  },
};

const effectful = Symbol('region with side effects');

interface Effect {
  readonly span: Span;
  readonly what: string;
  /** Where it only shows twice what was to be shown once. */
  readonly severity?: Severity;
}

function findingFor(context: LintContext, checkpointed: CheckpointedRegion, body: RegionBody, effect: Effect): Finding {
  const { at, about, where } = placeInRegion(context, checkpointed, body.file, effect.span);
  const unless = checkpointed.isReentrant ? '' : ', unless it stands behind the last tensor that backward needs';
  return {
    at,
    about,
    ...(effect.severity !== undefined && { severity: effect.severity }),
    message: `${effect.what} happens twice per step ${where}: once in forward, once more when backward recomputes it${unless}`,
    fixes: [],
  };
}

/** Changes of state that outlives the region and differs when made twice. */
const effectsOf = (body: RegionBody): readonly Effect[] =>
  body.file.names.lasting(body.callable, effectsKind, () => findEffects(body));

const effectsKind = Symbol('side effects');

function findEffects(body: RegionBody): readonly Effect[] {
  const statements = statementsRun(body);
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
  const written = text.slice(callee.start, callee.end);
  if (isTracking(callee, body)) return { span: callee, key: '', what: written };
  if (isShowing(callee, body)) return { span: callee, key: '', what: written, severity: 'information' };
  if (callee.kind !== 'attribute' || !growing.has(callee.attribute.name)) return undefined;
  const key = stateOf(callee.object, body);
  return key === undefined ? undefined : { span: callee, key, what: written };
}

/** Counts as one more step, or one more value. */
const isTracking = (callee: Expression, { file }: RegionBody): boolean =>
  /^(wandb\.log|mlflow\.log_metrics?)$/.test(file.names.qualifiedName(callee) ?? '');

/** `print`, `logging.info`, or the same method of a logger this file gets from `logging`. */
function isShowing(callee: Expression, { file }: RegionBody): boolean {
  const { names } = file;
  if (callee.kind === 'name') return callee.name === 'print' && names.bindingsOf(callee).length === 0;
  if (callee.kind !== 'attribute' || !/^(info|warning|error|critical)$/.test(callee.attribute.name)) return false;
  if (names.qualifiedName(callee.object) === 'logging') return true;
  if (callee.object.kind !== 'name') return false;
  const [binding, ...others] = names.bindingsOf(callee.object);
  return (
    others.length === 0 &&
    binding?.to === 'value' &&
    binding.value.kind === 'call' &&
    names.qualifiedName(binding.value.callee) === 'logging.getLogger'
  );
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
