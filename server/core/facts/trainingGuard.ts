import type { Expression } from '../python/ast.ts';
import { type Condition, lastName, type ReadValue, type Source, type Surroundings, writtenAs } from './source.ts';

/** Whether code under conditions runs while training. */
export type Guard =
  | { readonly kind: 'on'; readonly options: readonly string[] }
  /** It does not, because of what `words` are; `read` is their value where it is written down. */
  | { readonly kind: 'off'; readonly words: string; readonly read: ReadValue | undefined }
  /** It does if what `words` say holds. */
  | { readonly kind: 'unknown'; readonly words: string };

/** What a test is while training; undefined where that is not known. `flag` may know what nothing in the test says. */
export type KnownFlag = (test: Expression) => ReadValue | undefined;

/**
 * Whether the conditions around a checkpointed call hold while training. Tests that only pick some of the layers
 * (`selects`) are not asked.
 */
export function guard(
  source: Source,
  conditions: readonly Condition[],
  flag: KnownFlag = () => undefined,
  selects: (test: Expression) => boolean = () => false,
): Guard {
  const unknown: string[] = [];
  const options: string[] = [];
  for (const condition of conditions) {
    const { statement, branch } = condition;
    if (statement.kind === 'try' && source.holds(condition) === false)
      return { kind: 'off', words: 'an except clause', read: undefined };
    if (statement.kind !== 'if') continue;
    for (const [index, { test }] of statement.branches.entries()) {
      if (index > branch) break;
      const isWanted = index === branch;
      const tested = trainingTest(source, test, flag, selects);
      if (tested === 'selects') continue;
      if (tested === undefined) unknown.push(isWanted ? writtenAs(source, test) : `not (${writtenAs(source, test)})`);
      else if (tested.holds !== isWanted) return { kind: 'off', words: writtenAs(source, test), read: tested.read };
      else options.push(...(tested.read?.options ?? []));
    }
  }
  return unknown.length === 0
    ? { kind: 'on', options }
    : { kind: 'unknown', words: [...new Set(unknown)].join(' and ') };
}

/** Conditions around a statement, and around the one call of the function it stands in, and so on outwards. */
export function conditionsAround(source: Source, around: Surroundings, depth = 0): readonly Condition[] {
  const owner = around.function;
  if (owner === undefined || depth > longestChain || calledByTorch.test(owner.name.name)) return around.conditions;
  const callers = source.calls.filter((each) => each.definition === owner && each.around.function !== owner);
  const [only] = callers;
  if (callers.length !== 1 || only === undefined) return around.conditions;
  return [...conditionsAround(source, only.around, depth + 1), ...around.conditions];
}

/** Functions called by functions end here. */
const longestChain = 6;
const calledByTorch = /^(forward|__call__|__init__)$/;

/** Each part of a test that has to hold for the whole to hold. */
export function conjuncts(test: Expression): readonly Expression[] {
  return test.kind === 'binary' && test.operator === 'and'
    ? [...conjuncts(test.left), ...conjuncts(test.right)]
    : [test];
}

interface Tested {
  readonly holds: boolean;
  readonly read: ReadValue | undefined;
}

function trainingTest(
  source: Source,
  test: Expression,
  flag: KnownFlag,
  selects: (test: Expression) => boolean,
): Tested | 'selects' | undefined {
  if (selects(test)) return 'selects';
  if (test.kind === 'binary' && (test.operator === 'and' || test.operator === 'or')) {
    const left = trainingTest(source, test.left, flag, selects);
    const right = trainingTest(source, test.right, flag, selects);
    const decides = test.operator === 'or';
    for (const side of [left, right]) if (side !== 'selects' && side?.holds === decides) return side;
    if (left === undefined || right === undefined) return undefined;
    if (left === 'selects' || right === 'selects') return 'selects';
    return { holds: !decides, read: right.read ?? left.read };
  }
  if (test.kind === 'unary' && test.operator === 'not') {
    const inner = trainingTest(source, test.operand, flag, selects);
    return inner === undefined || inner === 'selects' ? inner : { ...inner, holds: !inner.holds };
  }
  const always = inTraining(source, test);
  if (always !== undefined) return { holds: always, read: undefined };
  const roots = source.rootsOf(test);
  const read = flag(test) ?? source.read(roots.length === 1 && roots[0] !== undefined ? roots[0] : test);
  return read && { holds: Boolean(read.value), read };
}

/** What every training step answers in the same way. */
function inTraining(source: Source, test: Expression): boolean | undefined {
  if (test.kind === 'attribute' && (test.attribute.name === 'training' || test.attribute.name === 'requires_grad'))
    return true;
  // A file that trains is the one that is run.
  if (test.kind === 'comparison' && test.operators[0] === '==')
    return test.operands.some((each) => each.kind === 'name' && each.name === '__name__') ? true : undefined;
  if (test.kind !== 'call') return undefined;
  const name = lastName(test.callee);
  if (name === 'is_grad_enabled') return true;
  if (name === 'is_scripting' || name === 'is_tracing' || name === 'is_inference_mode_enabled') return false;
  // A model is asked for what is called on it next.
  const asked = name === 'hasattr' ? test.arguments[1] : undefined;
  const attribute = asked === undefined ? undefined : source.read(asked.value)?.value;
  return typeof attribute === 'string' && /checkpointing/.test(attribute) ? true : undefined;
}
