import type { LintContext } from '../lint/rule.ts';
import type { Call, Expression, Statement } from '../python/ast.ts';
import { enclosing } from '../python/enclosing.ts';
import { oncePer } from '../python/oncePer.ts';
import { childrenOf, ownStatements, partsOf } from '../python/walk.ts';
import type { RegionBody } from '../sites/region.ts';
import { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import type { SourceFile } from '../workspace/workspace.ts';

/** Where a finding about code inside a region points: at that code in this file, at the checkpoint call otherwise. */
export interface RegionPlace {
  readonly at: Span;
  readonly about: Span;
  /** Ends a message: which region this is, or which function and line of another file. */
  readonly where: string;
}

export function placeInRegion(
  { file }: LintContext,
  { call }: { readonly call: Call },
  inFile: SourceFile,
  span: Span,
): RegionPlace {
  if (inFile === file) {
    return { at: span, about: span, where: `in the region checkpointed on line ${lineOf(file, call)}` };
  }
  const around = enclosing(inFile.module, span.start);
  const name = [around.class?.name.name, around.function?.name.name].filter((part) => part !== undefined).join('.');
  const path = inFile.path.slice(inFile.path.lastIndexOf('/') + 1);
  return {
    at: call.callee,
    about: call,
    where: `in ${name === '' ? path : `${name} of ${path}`}, line ${lineOf(inFile, span)}`,
  };
}

/** For messages: one-based, as editors count. */
export const lineOf = (file: SourceFile, span: Span): number => linesOf(file).lineAt(span.start) + 1;

const linesOf = oncePer((file: SourceFile) => new LineIndex(file.text));

/** The statements a body runs itself; a function defined inside it may never be called. */
export const statementsRun = ({ callable }: RegionBody): readonly Statement[] => statementsOfCallable(callable);

/** The calls in those statements, or in a lambda. */
export const callsRun = ({ callable }: Pick<RegionBody, 'callable'>): readonly Call[] => callsOfCallable(callable);

const statementsOfCallable = oncePer((callable: RegionBody['callable']): readonly Statement[] =>
  callable.kind === 'function' ? [...ownStatements(callable.body)] : [],
);

const callsOfCallable = oncePer((callable: RegionBody['callable']): readonly Call[] => {
  const found: Call[] = [];
  const stack: Expression[] = callable.kind === 'lambda' ? [callable.body] : [];
  for (const statement of statementsOfCallable(callable)) {
    if (statement.kind !== 'function' && statement.kind !== 'class') stack.push(...partsOf(statement).expressions);
  }
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    if (expression.kind === 'call') found.push(expression);
    stack.push(...childrenOf(expression));
  }
  return found;
});

/** Tests around a place inside a region, in the region's own function. */
export const testsAround = (file: SourceFile, place: Span): readonly Expression[] =>
  enclosing(file.module, place.start).conditions.map(({ test }) => test);

/** Code that says itself when it runs: outside training, or in one of the two passes alone. */
export function isGuarded(file: SourceFile, place: Span): boolean {
  return enclosing(file.module, place.start).conditions.some(({ test, holds }) => {
    const text = file.module.text.slice(test.start, test.end);
    if (/is_grad_enabled|recomput|is_scripting|is_tracing|is_compiling|is_inference|backward/i.test(text)) return true;
    return /\btraining\b/.test(text) && /\bnot\b/.test(text) === holds;
  });
}
