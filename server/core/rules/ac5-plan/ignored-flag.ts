import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression, FunctionDefinition, Statement } from '../../python/ast.ts';
import { statementsOf } from '../../python/walk.ts';
import { staysInSight } from '../namespaceUses.ts';

/** Names that mean activation checkpointing and nothing else; `checkpoint` alone is mostly a file. */
const flagName = /^(use_|enable_)?(gradient|grad|activation)_checkpoint(s|ing)?$|^checkpoint_activations$/;

export const rule: Rule = {
  code: 'AC505',
  name: 'ignored-flag',
  severity: 'warning',
  summary: 'a checkpointing option or parameter that nothing reads',
  *check(context): Generator<Finding> {
    yield* unreadOptions(context);
    yield* unreadParameters(context);
  },
};

function* unreadOptions(context: LintContext): Generator<Finding> {
  const { calls, module } = context;
  for (const call of calls.named('add_argument')) {
    const option = call.arguments[0]?.kind === 'positional' ? optionOf(call) : undefined;
    if (option === undefined || !flagName.test(option.destination)) continue;
    if (isMentioned(module.text, option.destination, call)) continue;
    const parsed = parseCalls(context);
    if (parsed === undefined || !staysInSight(context, parsed)) continue;
    yield {
      at: option.at,
      about: call,
      message: `nothing reads ${option.destination}: the option is accepted and changes nothing`,
      fixes: [],
    };
  }
}

interface Option {
  readonly destination: string;
  readonly at: Expression;
}

/** argparse takes `dest`, else the first long option with its dashes as underscores. */
function optionOf(call: Call): Option | undefined {
  const given = givenArguments([], call.arguments);
  const options = given.positional.flatMap(({ value }) =>
    value.kind === 'string' && value.value !== undefined ? [{ text: value.value, at: value }] : [],
  );
  const long = options.find(({ text }) => text.startsWith('--'));
  if (long === undefined || given.openPositional || given.openKeywords) return undefined;
  const named = keywordNamed(given, 'dest')?.value;
  if (named !== undefined && (named.kind !== 'string' || named.value === undefined)) return undefined;
  const destination = named?.kind === 'string' ? named.value : long.text.slice(2).replaceAll('-', '_');
  return destination === undefined ? undefined : { destination, at: long.at };
}

/** Whether the name stands anywhere else, as code, text or comment: any of these may be a way to read it. */
function isMentioned(text: string, name: string, call: Call): boolean {
  const pattern = new RegExp(`\\b${name.replaceAll('_', '[-_]')}\\b`, 'g');
  return [...text.matchAll(pattern)].some(({ index }) => index < call.start || index >= call.end);
}

/** The namespaces of the one parser this file makes and uses; undefined where there are several, or none is parsed here. */
function parseCalls({ calls, names }: LintContext): readonly Call[] | undefined {
  const parsers = calls.to('argparse.ArgumentParser');
  const parsed = calls.named('parse_args').filter(({ callee }) => callee.kind === 'attribute');
  const others = [...calls.named('parse_known_args'), ...calls.named('set_defaults'), ...calls.named('add_subparsers')];
  if (parsers.length !== 1 || parsed.length === 0 || others.length > 0) return undefined;
  const isParser = ({ callee }: Call): boolean => {
    if (callee.kind !== 'attribute' || callee.object.kind !== 'name') return false;
    const bindings = names.bindingsOf(callee.object);
    return bindings.length === 1 && bindings[0]?.to === 'value' && bindings[0].value === parsers[0]?.call;
  };
  return parsed.every(isParser) ? parsed : undefined;
}

function* unreadParameters(context: LintContext): Generator<Finding> {
  const { module, around } = context;
  for (const statement of statementsOf(module.body)) {
    if (statement.kind !== 'function' || isStub(statement.body)) continue;
    const parameter = statement.parameters.find(({ name, form }) => form === 'plain' && flagName.test(name));
    if (parameter === undefined || around(statement).class !== undefined) continue;
    const body = module.text.slice(statement.body[0]?.start ?? statement.end, statement.end);
    if (new RegExp(`\\b(${parameter.name}|locals|__dict__)\\b`).test(body)) continue;
    yield {
      at: { start: parameter.start, end: parameter.start + parameter.name.length },
      about: statement,
      message: `nothing in ${statement.name.name} reads ${parameter.name}: whoever sets it changes nothing`,
      fixes: [],
    };
  }
}

/** Only a docstring, `pass`, `...` or `raise`: declared here, written elsewhere. */
const isStub = (body: FunctionDefinition['body']): boolean =>
  body.every(
    (statement: Statement) =>
      (statement.kind === 'expression' &&
        (statement.value.kind === 'string' || statement.value.kind === 'otherExpression')) ||
      (statement.kind === 'otherStatement' && /^(pass|raise)_statement$/.test(statement.what)),
  );
