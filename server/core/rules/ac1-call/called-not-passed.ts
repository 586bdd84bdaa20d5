import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression, FunctionDefinition } from '../../python/ast.ts';
import type { Names } from '../../python/names.ts';
import { statementsOf } from '../../python/walk.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';

export const rule: Rule = {
  code: 'AC105',
  name: 'called-not-passed',
  severity: 'error',
  summary: 'a module is called in the argument instead of being passed',
  *check(context): Generator<Finding> {
    const { module, sites } = context;
    for (const site of sites) {
      if (site.function !== 'checkpoint') continue;
      const first = keywordNamed(site.given, 'function') ?? site.given.positional[0];
      if (first === undefined || first.preset || first.value.kind !== 'call') continue;
      const called = first.value;
      if (!isModuleCall(called, site, context)) continue;
      const name = module.text.slice(called.callee.start, called.callee.end);
      const message = `raises TypeError: ${name} runs before checkpoint is called, and what it returns is not callable`;
      yield { at: called, about: site.call, message, fixes: passInstead(module.text, site, called) };
    }
  },
};

/** A call of something that is a module for certain, and whose forward gives back nothing that could be called. */
function isModuleCall(called: Call, site: CheckpointSite, context: LintContext): boolean {
  const asFunction = { ...site.given, keywords: [], positional: [{ value: called.callee, preset: false }] };
  // Another region than that of the call, so it goes by another node.
  const { bodies, libraryModules } = context.region({ ...site, call: called, given: asFunction });
  const [first] = bodies;
  if (first === undefined) return libraryModules.length > 0;
  const { callable, file } = first;
  return (
    callable.kind === 'function' &&
    callable.name.name === 'forward' &&
    first.owner !== undefined &&
    !mayReturnCallable(callable, file.names)
  );
}

function mayReturnCallable(forward: FunctionDefinition, names: Names): boolean {
  const returned = [...statementsOf(forward.body)].flatMap((statement) =>
    statement.kind === 'return' && statement.value !== undefined ? [statement.value] : [],
  );
  return returned.length === 0 || returned.some((value) => mayBeCallable(value, names));
}

/** Functions, partials, and attributes: an attribute may be a module. */
function mayBeCallable(value: Expression, names: Names): boolean {
  if (value.kind === 'lambda' || value.kind === 'attribute') return true;
  if (value.kind === 'call') return names.qualifiedName(value.callee) === 'functools.partial';
  return value.kind === 'name' && names.bindingsOf(value).some((binding) => binding.to === 'definition');
}

/** `checkpoint(self.block(x), …)` becomes `checkpoint(self.block, x, …)`. */
function passInstead(text: string, { call, given }: CheckpointSite, called: Call): Fix[] {
  if (called.arguments.some((one) => one.kind === 'keyword' || (one.kind === 'splat' && one.of === 'keyword')))
    return [];
  if (call.arguments[0]?.value !== called || given.openPositional) return [];
  const inner = argumentsText(text, called);
  const rest = given.positional.slice(1).filter((one) => !one.preset);
  const passed = rest.map(({ value }) => text.slice(value.start, value.end)).join(', ');
  const isPassedTwice =
    rest.length > 0 && passed === called.arguments.map((one) => text.slice(one.start, one.end)).join(', ');
  if (rest.length > 0 && !isPassedTwice) return [];
  const callee = text.slice(called.callee.start, called.callee.end);
  const insert = isPassedTwice || inner === '' ? callee : `${callee}, ${inner}`;
  return [
    {
      title: `Pass ${callee} and its arguments`,
      preferred: true,
      edits: [{ span: { start: called.start, end: called.end }, text: insert }],
    },
  ];
}

function argumentsText(text: string, { arguments: given }: Call): string {
  const first = given[0];
  const last = given.at(-1);
  return first === undefined || last === undefined ? '' : text.slice(first.start, last.end);
}
