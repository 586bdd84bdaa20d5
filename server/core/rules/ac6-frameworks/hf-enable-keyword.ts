import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression, FunctionDefinition } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { statementAt, statementsOf } from '../../python/walk.ts';
import { methodOf } from '../../sites/region.ts';
import { checkpointKeywords } from '../../torch/checkpointApi.ts';
import { isBefore } from '../../torch/version.ts';
import { type Defined, soleDefinition } from '../../workspace/definitions.ts';

const method = 'gradient_checkpointing_enable';
const container = 'gradient_checkpointing_kwargs';

export const rule: Rule = {
  code: 'AC601',
  name: 'hf-enable-keyword',
  severity: 'error',
  summary: "torch's options given to `gradient_checkpointing_enable` as keywords of its own",
  *check(context): Generator<Finding> {
    const { calls, versions } = context;
    for (const call of calls.named(method)) {
      const given = givenArguments([], call.arguments);
      const options = given.keywords.filter(
        ({ name, argument }) => checkpointKeywords.has(name) && name !== 'function' && argument.kind === 'keyword',
      );
      const [first] = options;
      if (first === undefined || isOwnMethod(context, call, options)) continue;
      const takesOptions = !isBefore(versions.transformers, 4, 35);
      const outcome = isInTry(context, call) ? 'raises TypeError, which the try around it catches' : 'raises TypeError';
      const hint = takesOptions
        ? `transformers takes it inside ${container}`
        : `transformers before 4.35 takes no options`;
      yield {
        at: first.argument,
        about: call,
        message: `${outcome}: unexpected keyword argument '${first.name}'; ${hint}`,
        fixes: takesOptions && keywordNamed(given, container) === undefined ? fixesFor(context, call, options) : [],
      };
    }
  },
};

function fixesFor({ module }: LintContext, call: Call, options: readonly GivenKeyword[]): Fix[] {
  const [first, ...others] = options;
  // A positional value is the dictionary already.
  if (first === undefined || call.arguments.some((one) => one.kind !== 'keyword')) return [];
  const entries = options.map(({ name, value }) => `"${name}": ${module.text.slice(value.start, value.end)}`);
  const edit = {
    span: { start: first.argument.start, end: first.argument.end },
    text: `${container}={${entries.join(', ')}}`,
  };
  const removed = removeArguments(
    module,
    call,
    others.map(({ argument }) => argument),
  );
  return [{ title: `Pass ${container}={"${first.name}": …}`, preferred: true, edits: [edit, ...removed] }];
}

/** A class of the user's may have a method of that name with these parameters. */
function isOwnMethod(context: LintContext, call: Call, options: readonly GivenKeyword[]): boolean {
  const { module } = context;
  const takes = (definition: FunctionDefinition): boolean =>
    options.every(({ name }) => definition.parameters.some((one) => one.form === 'dict' || one.name === name));
  if (mentions(module, `def ${method}`)) {
    for (const statement of statementsOf(module.body)) {
      if (statement.kind === 'function' && statement.name.name === method && takes(statement)) return true;
    }
  }
  const owner = call.callee.kind === 'attribute' ? classOf(context, call.callee.object) : undefined;
  const own = owner === undefined ? undefined : methodOf(owner, method, context.workspace);
  return own?.definition.kind === 'function' && takes(own.definition);
}

/** The class of `self`, of `super()`, or of a name that was bound to an instance. */
function classOf({ file, names, workspace, around }: LintContext, receiver: Expression): Defined | undefined {
  const own = names.classOfSelf(receiver);
  if (own !== undefined) return { file, definition: own };
  if (receiver.kind === 'call') {
    const { class: owner } = around(receiver);
    const isSuper = receiver.callee.kind === 'name' && receiver.callee.name === 'super';
    return isSuper && owner !== undefined ? { file, definition: owner } : undefined;
  }
  if (receiver.kind !== 'name') return undefined;
  const bindings = names.bindingsOf(receiver);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'value' || binding.value.kind !== 'call') return undefined;
  const made = soleDefinition(binding.value.callee, file, workspace);
  return made?.definition.kind === 'class' ? made : undefined;
}

const isInTry = ({ around }: LintContext, call: Call): boolean => {
  const { statements, function: inside } = around(call);
  const from = inside === undefined ? 0 : statements.indexOf(inside) + 1;
  return statements
    .slice(from)
    .some((one) => one.kind === 'try' && one.handlers.length > 0 && statementAt(one.body, call.start) !== undefined);
};
