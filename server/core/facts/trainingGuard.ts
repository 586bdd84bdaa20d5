import type { Expression } from '../python/ast.ts';
import { type Condition, lastName, type Source } from './source.ts';

/** Runs while training, does not, or only if what `words` say holds. */
export type Guard = 'on' | 'off' | { readonly words: string };

/** Whether the conditions around a checkpointed call hold while training. */
export function guard(source: Source, conditions: readonly Condition[]): Guard {
  let words: string | undefined;
  for (const condition of conditions) {
    const { statement, branch } = condition;
    if (statement.kind === 'try' && source.holds(condition) === false) return 'off';
    if (statement.kind !== 'if') continue;
    for (const [index, { test }] of statement.branches.entries()) {
      if (index > branch) break;
      const held = trainingTest(source, test);
      const wanted = index === branch;
      if (held === !wanted) return 'off';
      if (held === undefined) {
        const text = source.module.text.slice(test.start, test.end).replace(/\s+/g, ' ').slice(0, 60);
        words ??= wanted ? text : `not (${text})`;
      }
    }
  }
  return words === undefined ? 'on' : { words };
}

/** `self.training`, `torch.is_grad_enabled()` and `x.requires_grad` hold in training; the rest is read. */
function trainingTest(source: Source, test: Expression): boolean | undefined {
  if (test.kind === 'binary' && (test.operator === 'and' || test.operator === 'or')) {
    const left = trainingTest(source, test.left);
    const right = trainingTest(source, test.right);
    const decides = test.operator === 'or';
    if (left === decides || right === decides) return decides;
    return left === undefined || right === undefined ? undefined : !decides;
  }
  if (test.kind === 'unary' && test.operator === 'not') {
    const inner = trainingTest(source, test.operand);
    return inner === undefined ? undefined : !inner;
  }
  if (test.kind === 'attribute' && (test.attribute.name === 'training' || test.attribute.name === 'requires_grad'))
    return true;
  if (test.kind === 'call' && lastName(test.callee) === 'is_grad_enabled') return true;
  const roots = source.rootsOf(test);
  const read = source.read(roots.length === 1 && roots[0] !== undefined ? roots[0] : test);
  return read === undefined ? undefined : Boolean(read.value);
}
