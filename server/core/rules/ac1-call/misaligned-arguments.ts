import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Call, Expression, FunctionDefinition, If, Statement } from '../../python/ast.ts';
import { childrenOf, partsOf, statementAt, statementsOf } from '../../python/walk.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { callsIn, type RegionBody } from '../../sites/region.ts';

export const rule: Rule = {
  code: 'AC116',
  name: 'misaligned-arguments',
  severity: 'error',
  summary: 'positions that bind other parameters than the same call without checkpointing',
  *check(context): Generator<Finding> {
    for (const site of context.sitesWhere(misaligns, (one) => misalignedAt(one, context) !== undefined)) {
      const found = misalignedAt(site, context);
      if (found === undefined) continue;
      const { target, wrong, right, plain, checkpointed } = found;
      const message = `binds ${wrong.text} to ${wrong.parameter}, while the call without checkpointing binds it to ${right.parameter}`;
      const fixes = target.isDirect ? fixesFor(site, checkpointed, plain, wrong) : [];
      yield { at: wrong.value, about: site.call, message, fixes };
    }
  },
};

const misaligns = Symbol('positions that bind other parameters');

/** The first argument at a position that binds another parameter than the call in the other branch does. */
function misalignedAt(site: CheckpointSite, context: LintContext) {
  const target = targetOf(site, context);
  const sibling = target === undefined ? undefined : siblingCall(site.call, target.text, context);
  if (target === undefined || sibling === undefined) return undefined;
  const plain = boundBy(sibling.arguments, target.forward, context.module.text);
  const checkpointed = boundBy(site.call.arguments.slice(1), target.forward, context.module.text);
  if (plain === undefined || checkpointed === undefined) return undefined;
  const wrong = checkpointed.find((one) => misplaced(one, checkpointed, plain) !== undefined);
  const right = wrong === undefined ? undefined : misplaced(wrong, checkpointed, plain);
  return wrong === undefined || right === undefined ? undefined : { target, wrong, right, plain, checkpointed };
}

interface Target {
  /** The module as the code writes it. */
  readonly text: string;
  readonly forward: FunctionDefinition;
  /** False where a factory stands between; its inner function passes all positions on. */
  readonly isDirect: boolean;
}

function targetOf(site: CheckpointSite, context: LintContext): Target | undefined {
  const [first] = site.call.arguments;
  if (site.function !== 'checkpoint' || first?.kind !== 'positional') return undefined;
  const { bodies } = context.region(site);
  const textOf = (one: Expression): string => context.module.text.slice(one.start, one.end);
  const { value } = first;
  if (value.kind === 'name' || value.kind === 'attribute') {
    const isCallMethod = value.kind === 'attribute' && ['__call__', 'forward'].includes(value.attribute.name);
    const forward = forwardOf(bodies[0]);
    return forward && { text: textOf(isCallMethod ? value.object : value), forward, isDirect: true };
  }
  const [module, ...others] = value.kind === 'call' ? value.arguments : [];
  if (module?.kind !== 'positional' || others.length > 0 || !passesAllOn(bodies[0])) return undefined;
  const forward = forwardOf(bodies[1]);
  return forward && { text: textOf(module.value), forward, isDirect: false };
}

const forwardOf = (body: RegionBody | undefined): FunctionDefinition | undefined =>
  body?.owner !== undefined && body.callable.kind === 'function' && body.callable.name.name === 'forward'
    ? body.callable
    : undefined;

/** `def custom_forward(*inputs): return module(*inputs)`, with more behind the inputs or not. */
function passesAllOn(body: RegionBody | undefined): boolean {
  const parameter = body?.callable.parameters[0];
  if (body === undefined || parameter?.form !== 'tuple') return false;
  const calls = callsIn(body.callable).filter(({ callee }) => callee.kind === 'name');
  const [argument] = calls[0]?.arguments ?? [];
  const passed = argument?.kind === 'splat' && argument.value.kind === 'name' ? argument.value.name : undefined;
  return calls.length === 1 && passed === parameter.name;
}

/** The only call of the module in the other branches of the nearest `if` around the checkpointed one. */
function siblingCall(call: Call, text: string, context: LintContext): Call | undefined {
  const around = context.around(call).statements.findLast((one): one is If => one.kind === 'if');
  if (around === undefined) return undefined;
  const others = partsOf(around).blocks.filter((block) => statementAt(block, call.start) === undefined);
  const calls = others.flatMap((block) =>
    callsUnder(block).filter(({ callee }) => context.module.text.slice(callee.start, callee.end) === text),
  );
  return calls.length === 1 ? calls[0] : undefined;
}

function callsUnder(block: readonly Statement[]): Call[] {
  const stack = [...statementsOf(block)].flatMap((statement) => partsOf(statement).expressions);
  const found: Call[] = [];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (one.kind === 'call') found.push(one);
    stack.push(...childrenOf(one));
  }
  return found;
}

interface Bound {
  readonly text: string;
  readonly value: Expression;
  readonly parameter: string;
  readonly byPosition: boolean;
}

/** Which parameter each argument is bound to; undefined where that is not certain. Options of checkpoint are left out. */
function boundBy(given: Call['arguments'], forward: FunctionDefinition, text: string): Bound[] | undefined {
  const own = forward.parameters.slice(1);
  const positions = own.filter(({ form, keywordOnly }) => form === 'plain' && !keywordOnly);
  const bound: Bound[] = [];
  for (const [index, argument] of given.entries()) {
    if (argument.kind === 'splat') return undefined;
    const { value } = argument;
    const byPosition = argument.kind === 'positional';
    const parameter = byPosition ? positions[index]?.name : argument.name.name;
    if (parameter === undefined || !own.some(({ name }) => name === parameter)) {
      if (byPosition) return undefined;
      continue;
    }
    bound.push({ text: text.slice(value.start, value.end), value, parameter, byPosition });
  }
  return bound;
}

/** Where the other branch binds the same variable, if that is elsewhere; a variable given twice says nothing. */
function misplaced(one: Bound, here: readonly Bound[], there: readonly Bound[]): Bound | undefined {
  if (!one.byPosition || (one.value.kind !== 'name' && one.value.kind !== 'attribute')) return undefined;
  const same = there.filter(({ text }) => text === one.text);
  const [other] = same;
  const isOnce = same.length === 1 && here.filter(({ text }) => text === one.text).length === 1;
  return isOnce && other !== undefined && other.parameter !== one.parameter ? other : undefined;
}

/** From the first wrong position on, every argument is given by the name the other branch uses. */
function fixesFor(site: CheckpointSite, here: readonly Bound[], there: readonly Bound[], wrong: Bound): Fix[] {
  if (site.useReentrant.kind !== 'known' || site.useReentrant.reentrant) return [];
  const behind = here.slice(here.indexOf(wrong)).filter(({ byPosition }) => byPosition);
  const names = behind.map((one) => (misplaced(one, here, there) ?? one).parameter);
  const all = [...names, ...here.filter((one) => !behind.includes(one)).map(({ parameter }) => parameter)];
  if (new Set(all).size !== all.length) return [];
  const edits = behind.map(({ value }, index) => ({
    span: { start: value.start, end: value.start },
    text: `${names[index]}=`,
  }));
  return [{ title: 'Pass by the names the other branch uses', preferred: false, edits }];
}
