import type { Finding, Fix, LintContext, Rule, Severity } from '../../lint/rule.ts';
import { type GivenArgument, keywordNamed } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import { type Constant, constantOf } from '../../python/constants.ts';
import { sequenceLength } from '../sequenceLength.ts';

export const rule: Rule = {
  code: 'AC108',
  name: 'sequential-segments',
  severity: 'error',
  summary: 'a number of segments that raises, checkpoints nothing, or splits unevenly',
  *check(context): Generator<Finding> {
    for (const site of context.sites) {
      if (site.function !== 'checkpoint_sequential') continue;
      const segments = keywordNamed(site.given, 'segments') ?? site.given.positional[1];
      if (segments === undefined) continue;
      const functions = keywordNamed(site.given, 'functions') ?? site.given.positional[0];
      const layers = functions === undefined ? undefined : sequenceLength(functions.value, context);
      const problem = problemWith(segments.value, layers, context);
      if (problem === undefined) continue;
      const { severity, message } = problem;
      const at = segments.preset ? site.call.callee : segments.value;
      yield { at, about: site.call, severity, message, fixes: fixesFor(segments, problem, context) };
    }
  },
};

interface Problem {
  readonly severity: Severity;
  readonly message: string;
  /** What to write instead, where a number works. */
  readonly instead: string | undefined;
}

function problemWith(value: Expression, layers: number | undefined, context: LintContext): Problem | undefined {
  const segments = constantOf(value, context.names);
  if (isFloat(value, segments)) return floatProblem(value, segments, context.module.text);
  if (typeof segments !== 'number') return undefined;
  const two = layers === undefined || layers >= 2 ? '2' : undefined;
  if (segments === 0) {
    return { severity: 'error', message: 'raises ZeroDivisionError: there must be at least one segment', instead: two };
  }
  if (segments < 0 || segments === 1) {
    const message = `segments=${segments} checkpoints nothing: the last segment always keeps its activations`;
    return { severity: 'warning', message, instead: two };
  }
  if (layers === undefined || layers === 0) return undefined;
  if (segments > layers) {
    const message = `raises ValueError: range() arg 3 must not be zero, since ${layers} modules cannot make ${segments} segments`;
    return { severity: 'error', message, instead: layers >= 2 ? String(layers) : undefined };
  }
  const size = Math.floor(layers / segments);
  const last = layers - size * (segments - 1);
  if (last === size) return undefined;
  const message = `splits ${layers} modules into ${segments - 1} × ${size} and ${last}: the last segment takes the rest and keeps all its activations`;
  return { severity: 'information', message, instead: undefined };
}

/** `2.0` and every true division: Python gives a float for it, whole or not. */
const isFloat = (value: Expression, constant: Constant | undefined): boolean =>
  (value.kind === 'number' && value.isFloat) ||
  (typeof constant === 'number' && !Number.isInteger(constant)) ||
  (value.kind === 'binary' && value.operator === '/' && (constant !== undefined || isLength(value.left)));

const isLength = (expression: Expression): boolean =>
  expression.kind === 'call' && expression.callee.kind === 'name' && expression.callee.name === 'len';

function floatProblem(value: Expression, segments: Constant | undefined, text: string): Problem {
  const message = "raises TypeError: 'float' object cannot be interpreted as an integer";
  if (value.kind === 'binary') {
    const [left, right] = [value.left, value.right].map((side) => text.slice(side.start, side.end));
    return { severity: 'error', message, instead: `${left} // ${right}` };
  }
  const whole = typeof segments === 'number' ? Math.floor(segments) : 0;
  return { severity: 'error', message, instead: whole >= 2 ? String(whole) : undefined };
}

function fixesFor({ value, preset }: GivenArgument, { severity, instead }: Problem, { module }: LintContext): Fix[] {
  const isWritten = value.kind === 'number' || value.kind === 'unary' || value.kind === 'binary';
  if (preset || instead === undefined || !isWritten) return [];
  const span = { start: value.start, end: value.end };
  const before = module.text.slice(value.start, value.end);
  // What raised may be corrected at once; what ran would run differently.
  return [
    { title: `Change ${before} to ${instead}`, preferred: severity === 'error', edits: [{ span, text: instead }] },
  ];
}
