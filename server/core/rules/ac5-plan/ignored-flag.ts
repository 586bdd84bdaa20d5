import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression, FunctionDefinition, Parameter, Statement } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { oncePer } from '../../python/oncePer.ts';
import { statementsOf } from '../../python/walk.ts';
import { type Defined, soleDefinition } from '../../workspace/definitions.ts';
import { staysInSight } from '../namespaceUses.ts';
import { unreadModelFlags } from '../unreadModelFlags.ts';

/** Names that mean activation checkpointing and nothing else; `checkpoint` alone is mostly a file. */
const flagName = /^(use_|enable_)?(gradient|grad|activation)_checkpoint(s|ing)?$|^checkpoint_activations$/;

/** A cheap look before each function is looked at. */
const mayBeFlag = /checkpoint(s|ing)?\b|checkpoint_activations/;

/** Bases of bases end here; no person writes a longer chain. */
const deepestClass = 16;

export const rule: Rule = {
  code: 'AC505',
  name: 'ignored-flag',
  severity: 'warning',
  summary: 'a checkpointing option, parameter or attribute that nothing reads',
  *check(context): Generator<Finding> {
    yield* unreadOptions(context);
    yield* unreadParameters(context);
    yield* unreadModelFlags(context);
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
  const { module, around, file } = context;
  if (!mentions(module, mayBeFlag)) return;
  for (const { statement, parameter } of module.body.flatMap(flagTakersIn)) {
    const body = module.text.slice(statement.body[0]?.start ?? statement.end, statement.end);
    if (new RegExp(`\\b(${parameter.name}|locals|__dict__)\\b`).test(body)) continue;
    const { class: owner } = around(statement);
    const name = statement.name.name;
    if (owner !== undefined && isAskedFor(context, { file, definition: owner }, name, parameter.name)) continue;
    yield {
      at: { start: parameter.start, end: parameter.start + parameter.name.length },
      about: statement,
      message: `nothing in ${owner === undefined ? '' : `${owner.name.name}.`}${name} reads ${parameter.name}: whoever sets it changes nothing`,
      fixes: [],
    };
  }
}

/** Functions in a statement that take a flag; one that is declared here and written elsewhere is none. */
const flagTakersIn: (statement: Statement) => readonly FlagTaker[] = oncePer((outer) =>
  outer.kind === 'class' ? outer.body.flatMap(flagTakersIn) : [...statementsOf([outer])].flatMap(flagTaker),
);

function flagTaker(statement: Statement): readonly FlagTaker[] {
  if (statement.kind !== 'function' || isStub(statement.body)) return [];
  // What has no default is handed over by every caller of a family of classes, not chosen by anybody.
  const parameter = statement.parameters.find(
    (one) => one.form === 'plain' && one.default !== undefined && flagName.test(one.name),
  );
  return parameter === undefined ? [] : [{ statement, parameter }];
}

interface FlagTaker {
  readonly statement: FunctionDefinition;
  readonly parameter: Parameter;
}

/** Whether a base class has the method with this parameter, or may have it because it is not in view. */
function isAskedFor(
  context: LintContext,
  { file, definition }: Defined,
  method: string,
  parameter: string,
  depth = 0,
): boolean {
  if (definition.kind !== 'class' || depth > deepestClass) return true;
  return definition.bases.some((base) => {
    const qualified = file.names.qualifiedName(base);
    if (qualified === 'torch.nn.Module' || qualified === 'torch.nn.modules.module.Module') return false;
    const parent = soleDefinition(base, file, context.workspace);
    if (parent?.definition.kind !== 'class') return !(base.kind === 'name' && base.name === 'object');
    const own = parent.definition.body.some(
      (one) =>
        one.kind === 'function' &&
        one.name.name === method &&
        one.parameters.some(({ name, form }) => name === parameter || form === 'dict'),
    );
    return own || isAskedFor(context, parent, method, parameter, depth + 1);
  });
}

/** Only a docstring, `pass`, `...`, `raise` or `return None`: declared here, written elsewhere. */
const isStub = (body: FunctionDefinition['body']): boolean =>
  body.every(
    (statement: Statement) =>
      (statement.kind === 'expression' &&
        (statement.value.kind === 'string' || statement.value.kind === 'otherExpression')) ||
      (statement.kind === 'return' && (statement.value === undefined || isNone(statement.value))) ||
      (statement.kind === 'otherStatement' && /^(pass|raise)_statement$/.test(statement.what)),
  );

const isNone = (value: Expression): boolean => value.kind === 'constant' && value.value === null;
