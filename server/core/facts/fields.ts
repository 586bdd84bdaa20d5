import type { Call, ClassDefinition, Expression } from '../python/ast.ts';
import { argumentClasses, commandLineFields } from './commandLine.ts';
import { happensBefore } from './conditions.ts';
import type { Field, Fields, Source, Use } from './source.ts';

/**
 * What an object's attributes or a dictionary's items are bound to: dictionaries, instances of this file's classes and the
 * classes themselves, calls that only gather keywords, and parsed command lines, with later changes applied.
 */
export function fieldsOf(source: Source, expression: Expression, use?: Use): Fields | undefined {
  const at = use ?? { offset: expression.start, around: source.surroundingsAt(expression.start) };
  const roots = source.rootsOf(expression);
  const [root] = roots;
  if (roots.length !== 1 || root === undefined) return undefined;
  const made = madeBy(source, root, at);
  return made && withChanges(source, made, root, at);
}

/** Fields of an instance of a class of this file: what the call gives, else what the class body says. */
export function instanceFields(source: Source, owner: ClassDefinition, call: Call | undefined): Fields {
  const own = classFields(source, owner, 0);
  if (call === undefined) return own;
  const names = [...own.fields.keys()];
  const given = givenFields(source, call, names);
  // What is not given by name may still come out of a spread that could not be read.
  const unless = given.open;
  const kept = [...own.fields].map(([name, field]) => [name, { ...field, unless: field.unless ?? unless }] as const);
  return { fields: new Map([...kept, ...given.fields]), open: given.open ?? own.open };
}

/** What a call gives by keyword, literal or followed `**options` included; `positions` names positional arguments. */
export function givenFields(source: Source, call: Call, positions: readonly string[] = []): Fields {
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  let position = 0;
  for (const argument of call.arguments) {
    if (argument.kind === 'positional') {
      const name = positions[position++];
      if (name !== undefined && open === undefined) fields.set(name, plain(argument.value));
    } else if (argument.kind === 'keyword') fields.set(argument.name.name, plain(argument.value));
    else if (argument.of === 'positional') open = argument;
    else {
      const more = source.fieldsOf(argument.value);
      if (more === undefined || more.open !== undefined) open = argument;
      for (const [name, field] of more?.fields ?? []) fields.set(name, field);
    }
  }
  return { fields, open };
}

const plain = (value: Expression): Field => ({ value, at: value, unless: undefined, option: undefined });

function madeBy(source: Source, root: Expression, use: Use): Fields | undefined {
  switch (root.kind) {
    case 'dictionary':
      return dictionaryFields(source, root);
    case 'call':
      return callFields(source, root, use);
    case 'name':
      return namedFields(source, root);
    case 'attribute': {
      const value = source.fieldsOf(root.object, use)?.fields.get(root.attribute.name)?.value;
      return value && source.fieldsOf(value, use);
    }
    case 'subscript': {
      const [index] = root.indices;
      const key = index && source.read(index)?.value;
      const value = typeof key === 'string' ? source.fieldsOf(root.object, use)?.fields.get(key)?.value : undefined;
      return value && source.fieldsOf(value, use);
    }
    default:
      return undefined;
  }
}

function dictionaryFields(source: Source, root: Expression & { kind: 'dictionary' }): Fields {
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  for (const { key, value } of root.entries) {
    if (key === undefined) {
      const more = source.fieldsOf(value);
      if (more === undefined || more.open !== undefined) open = value;
      for (const [name, field] of more?.fields ?? []) fields.set(name, field);
    } else if (key.kind === 'string' && key.value !== undefined) fields.set(key.value, plain(value));
    else open = key;
  }
  return { fields, open };
}

const copies = new Set(['copy.copy', 'copy.deepcopy', 'vars', 'dataclasses.asdict', 'dataclasses.replace']);
const gatherers = new Set([
  'dict',
  'types.SimpleNamespace',
  'argparse.Namespace',
  'easydict.EasyDict',
  'ml_collections.ConfigDict',
  'ml_collections.config_dict.ConfigDict',
  'omegaconf.OmegaConf.create',
]);

function callFields(source: Source, call: Call, use: Use): Fields | undefined {
  const options = commandLineFields(source, call);
  if (options !== undefined) return options;
  const { callee } = call;
  const { targets, complete } = source.names.resolve(callee);
  const only = complete && targets.length === 1 ? targets[0] : undefined;
  const builtin = callee.kind === 'name' && source.names.bindingsOf(callee).length === 0 ? callee.name : undefined;
  const called = builtin ?? only?.qualified;
  const definition = only?.definition;
  if (definition?.kind === 'class') return instanceFields(source, definition, call);
  if (definition?.kind === 'function') {
    const [last] = definition.body.slice(-1);
    return last?.kind === 'return' && last.value !== undefined && definition.parameters.length === 0
      ? source.fieldsOf(last.value)
      : undefined;
  }
  if (called === undefined) return undefined;
  const [first] = call.arguments;
  if (copies.has(called) && first?.kind === 'positional') {
    const base = source.fieldsOf(first.value, use);
    const changed = givenFields(source, call);
    return base && { fields: new Map([...base.fields, ...changed.fields]), open: base.open ?? changed.open };
  }
  if (gatherers.has(called)) {
    const base = first?.kind === 'positional' ? source.fieldsOf(first.value) : undefined;
    const given = givenFields(source, call);
    if (first?.kind === 'positional' && base === undefined) return { fields: given.fields, open: first };
    return { fields: new Map([...(base?.fields ?? []), ...given.fields]), open: base?.open ?? given.open };
  }
  if (called.endsWith('Config.from_dict') && first?.kind === 'positional') {
    const base = source.fieldsOf(first.value, use);
    const given = givenFields(source, call);
    return {
      fields: new Map([...(base?.fields ?? []), ...given.fields]),
      open: base === undefined ? first : base.open,
    };
  }
  // Another library's configuration: what is given is known, what is not given is the library's.
  return /(Config|Arguments|Args)(\.from_pretrained|\.for_model)?$/.test(called)
    ? givenFields(source, call)
    : undefined;
}

function namedFields(source: Source, name: Expression & { kind: 'name' }): Fields | undefined {
  const bindings = source.names.bindingsOf(name);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding === undefined) return undefined;
  if (binding.to === 'definition')
    return binding.definition.kind === 'class' ? classFields(source, binding.definition, 0) : undefined;
  if (binding.to === 'unknown') {
    const parsed = argumentClasses(source).find((one) => one.from === binding.from && one.name === name.name);
    if (parsed === undefined) return undefined;
    return parsed.owner === undefined
      ? { fields: new Map(), open: undefined }
      : optionsOf(classFields(source, parsed.owner, 0));
  }
  if (binding.to !== 'parameter' || binding.parameter.annotation === undefined) return undefined;
  const owner = source.names.resolve(binding.parameter.annotation).targets[0]?.definition;
  if (owner?.kind !== 'class') return undefined;
  // Which instance arrives is known where the file makes only one.
  const made = source.calls.filter((one) => one.definition === owner);
  return made.length > 1 ? undefined : instanceFields(source, owner, made[0]?.call);
}

/** Fields of a class whose instances come from a command line: each is an option of its own name. */
const optionsOf = ({ fields, open }: Fields): Fields => ({
  fields: new Map([...fields].map(([name, field]) => [name, { ...field, option: `--${name}` }])),
  open,
});

/** Deeper inheritance than this is a circle. */
const longestInheritance = 8;

function classFields(source: Source, owner: ClassDefinition, depth: number): Fields {
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  for (const base of owner.bases) {
    const { targets } = source.names.resolve(base);
    const definition = targets[0]?.definition;
    if (definition?.kind === 'class' && depth < longestInheritance) {
      const inherited = classFields(source, definition, depth + 1);
      for (const [name, field] of inherited.fields) fields.set(name, field);
      open ??= inherited.open;
    } else if (!isPlainBase(targets[0]?.qualified, base)) open = base;
  }
  for (const statement of owner.body) {
    if (statement.kind !== 'assign') continue;
    for (const target of statement.targets) {
      if (target.kind !== 'name') continue;
      fields.set(target.name, { ...plain(target), value: defaultOf(source, statement.value) });
    }
  }
  return { fields, open };
}

const isPlainBase = (qualified: string | undefined, base: Expression): boolean =>
  /(^|\.)(object|BaseModel|NamedTuple|ABC|Enum)$/.test(qualified ?? (base.kind === 'name' ? base.name : ''));

/** `field(default=value)` says the same as `value`. */
function defaultOf(source: Source, value: Expression | undefined): Expression | undefined {
  if (value?.kind !== 'call') return value;
  const called = source.names.qualifiedName(value.callee);
  if (called === undefined || !/(^|\.)(field|Field|ib|attrib)$/.test(called)) return value;
  const given = value.arguments.find((one) => one.kind === 'keyword' && one.name.name === 'default');
  const [first] = value.arguments;
  return given?.value ?? (called.endsWith('.Field') && first?.kind === 'positional' ? first.value : undefined);
}

function withChanges(source: Source, made: Fields, root: Expression, use: Use): Fields {
  let { open } = made;
  const fields = new Map(made.fields);
  for (const change of source.changesOf(root)) {
    const happens = happensBefore(source, { start: change.span.start, around: change.around }, use);
    if (happens === false) continue;
    if (change.key === undefined) {
      open = change.span;
      continue;
    }
    const before = fields.get(change.key);
    const certain = happens === true && source.rootsOf(change.object).length === 1;
    if (!certain) {
      if (before !== undefined) fields.set(change.key, { ...before, unless: change.span });
    } else if (change.value !== undefined) fields.set(change.key, { ...plain(change.value), at: change.span });
    else fields.set(change.key, { value: undefined, at: change.span, unless: undefined, option: undefined });
  }
  return { fields, open };
}
