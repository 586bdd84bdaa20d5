import type { Call, ClassDefinition, Expression, FunctionDefinition, Name, Subscript } from '../python/ast.ts';
import type { Binding } from '../python/scope.ts';
import { ownStatements } from '../python/walk.ts';
import {
  type ArgumentClass,
  argumentClasses,
  commandLineFields,
  isSameCommandLine,
  knownArgumentsAt,
  parsedClass,
} from './commandLine.ts';
import { givenField } from './commandLineOption.ts';
import { happensBefore } from './conditions.ts';
import type { Outside } from './project.ts';
import { type Field, type Fields, lastName, type Source, type Use } from './source.ts';
import { unpackedElement } from './unpacked.ts';

/**
 * What an object's attributes or a dictionary's items are bound to: dictionaries, instances of this file's classes and the
 * classes themselves, calls that only gather keywords, and parsed command lines, with later changes applied. Where `only` one
 * is asked for, changes of others are passed over.
 */
export function fieldsOf(source: Source, expression: Expression, use?: Use, only?: string): Fields | undefined {
  const at = use ?? { offset: expression.start, around: source.surroundingsAt(expression.start) };
  const roots = source.rootsOf(expression);
  const [root] = roots;
  if (root === undefined || (roots.length > 1 && !isSameCommandLine(source, roots))) return undefined;
  const made = madeBy(source, root, at);
  return made && withChanges(source, made, root, at, only);
}

/** Fields of an instance of a class of this file: what the call gives, else what the class body says. */
export function instanceFields(source: Source, owner: ClassDefinition, call: Call | undefined): Fields {
  const own = classFields(source, owner, 0);
  return call === undefined ? own : withGiven(source, own, call);
}

function withGiven(source: Source, own: Fields, call: Call): Fields {
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
      const imported = outsideFields(source, root);
      if (imported !== undefined) return imported;
      const value = source.fieldsOf(root.object, use)?.fields.get(root.attribute.name)?.value;
      return value && source.fieldsOf(value, use);
    }
    case 'subscript': {
      const parsed = parsedClass(source, root);
      if (parsed !== undefined) return parsedFields(source, parsed);
      const known = root.object.kind === 'call' ? commandLineFields(source, root.object) : undefined;
      if (known !== undefined) return known;
      const value = itemOf(source, root, use);
      return value && source.fieldsOf(value, use);
    }
    default:
      return undefined;
  }
}

/** The expression that `object[key]` stands for: an item of a dictionary by text or number, of a list by position. */
export function itemOf(source: Source, { object, indices }: Subscript, use?: Use): Expression | undefined {
  const [index] = indices;
  const key = index === undefined || indices.length !== 1 ? undefined : source.read(index)?.value;
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  const roots = source.rootsOf(object);
  const [root] = roots;
  if (typeof key === 'number' && roots.length === 1 && (root?.kind === 'tuple' || root?.kind === 'list'))
    return root.elements.some(({ kind }) => kind === 'starred') ? undefined : root.elements.at(key);
  const field = source.fieldsOf(object, use)?.fields.get(String(key));
  return field?.unless === undefined ? field?.value : undefined;
}

function dictionaryFields(source: Source, root: Expression & { kind: 'dictionary' }): Fields {
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  for (const { key, value } of root.entries) {
    if (key === undefined) {
      const more = source.fieldsOf(value);
      if (more === undefined || more.open !== undefined) open = value;
      for (const [name, field] of more?.fields ?? []) fields.set(name, field);
    } else {
      const name = key.kind === 'string' ? key.value : source.read(key)?.value;
      if (name === undefined || name === null) open = key;
      else fields.set(String(name), plain(value));
    }
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
  const parsed = parsedClass(source, call);
  if (parsed !== undefined) return parsedFields(source, parsed);
  const { callee } = call;
  const { targets, complete } = source.names.resolve(callee);
  const only = complete && targets.length === 1 ? targets[0] : undefined;
  const builtin = callee.kind === 'name' && source.names.bindingsOf(callee).length === 0 ? callee.name : undefined;
  const called = builtin ?? only?.qualified;
  const definition = only?.definition;
  if (definition?.kind === 'class') return instanceFields(source, definition, call);
  if (definition?.kind === 'function') return returnedFields(source, definition);
  if (called === undefined) return undefined;
  const outside = source.outside(callee);
  if (outside !== undefined) return outsideCall(source, outside, call);
  const [first] = call.arguments;
  if (loaders.test(called)) return loadedFields(source, call);
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
  return /(Config|Arguments|Args|Offload|Policy|Plugin)(\.from_pretrained|\.for_model)?$/.test(called)
    ? givenFields(source, call)
    : undefined;
}

/** What a function's last statement gives back, where it is the only one that gives back anything. */
function returnedFields(source: Source, definition: FunctionDefinition): Fields | undefined {
  const returns = [...ownStatements(definition.body)].filter((statement) => statement.kind === 'return');
  const [only] = returns;
  if (returns.length !== 1 || only?.kind !== 'return' || only.value === undefined) return undefined;
  return source.fieldsOf(only.value);
}

/** A class or function of another file: its fields belong there, what the call gives stays here. */
function outsideCall(source: Source, outside: Outside, call: Call): Fields | undefined {
  if (!('definition' in outside)) return undefined;
  const { source: there, definition } = outside;
  if (definition.kind === 'function') {
    const returned = returnedFields(there, definition);
    return returned && source.handedOver(there, returned);
  }
  const own = source.handedOver(there, classFields(there, definition, 0));
  return withGiven(source, own, call);
}

/** What reads a configuration file into an object or a dictionary. */
const loaders =
  /^(omegaconf\.OmegaConf\.load|json\.load|json\.loads|yaml\.(safe_|full_)?load|tomllib\.load|toml\.load)$/;

/** `OmegaConf.load("conf.yaml")`, `yaml.safe_load(open("conf.yaml"))`. */
function loadedFields(source: Source, call: Call): Fields | undefined {
  const path = loadedPath(source, call.arguments[0]?.value);
  const root = path === undefined ? undefined : source.config(path);
  return root && source.fieldsOf(root);
}

function loadedPath(source: Source, expression: Expression | undefined): string | undefined {
  if (expression === undefined) return undefined;
  const value = source.read(expression)?.value;
  if (typeof value === 'string') return value;
  const [root] = source.rootsOf(expression);
  if (root?.kind !== 'call') return openedPath(source, expression);
  const name = lastName(root.callee);
  if (name === 'open' || name === 'Path') return loadedPath(source, root.arguments[0]?.value);
  const reads = root.callee.kind === 'attribute' && /^(read|read_text|open)$/.test(name);
  return reads && root.callee.kind === 'attribute' ? loadedPath(source, root.callee.object) : undefined;
}

/** `with open("conf.yaml") as file:` binds a name. */
function openedPath(source: Source, name: Expression): string | undefined {
  const opened = name.kind === 'name' ? source.openedAs(name) : undefined;
  return opened && loadedPath(source, opened);
}

function namedFields(source: Source, name: Name): Fields | undefined {
  const bindings = source.names.bindingsOf(name);
  const [binding] = bindings;
  if (bindings.length === 0) return outsideFields(source, name);
  if (binding === undefined) return undefined;
  if (bindings.length > 1) return parsedEitherWay(source, name, bindings);
  if (binding.to === 'import') return outsideFields(source, name);
  if (binding.to === 'definition')
    return binding.definition.kind === 'class' ? classFields(source, binding.definition, 0) : undefined;
  if (binding.to === 'unknown') {
    const parsed = argumentClasses(source).find((one) => one.from === binding.from && one.name === name.name);
    if (parsed !== undefined) return parsedFields(source, parsed);
    const known = knownArgumentsAt(source, name.name, binding.from);
    if (known !== undefined) return known;
    const element = unpackedElement(source, name.name, binding.from);
    const fields = element?.source.fieldsOf(element.value);
    return element && fields && source.handedOver(element.source, fields);
  }
  if (binding.to !== 'parameter') return undefined;
  const given = source.argumentFromElsewhere(name);
  if (given !== undefined) return source.fieldsOf(given);
  if (binding.parameter.annotation === undefined) return undefined;
  const owner = source.names.resolve(binding.parameter.annotation).targets[0]?.definition;
  if (owner === undefined) return outsideFields(source, binding.parameter.annotation);
  if (owner.kind !== 'class') return undefined;
  // Which instance arrives is known where the file makes only one.
  const made = source.calls.filter((one) => one.definition === owner);
  return made.length > 1 ? undefined : instanceFields(source, owner, made[0]?.call);
}

/** Scripts read the same classes from a file where one is given, else from the command line. */
function parsedEitherWay(source: Source, name: Name, bindings: readonly Binding[]): Fields | undefined {
  const parsed = argumentClasses(source).filter(
    (one) => one.name === name.name && bindings.some(({ from }) => from === one.from),
  );
  const [first] = parsed;
  const isOneClass = parsed.every(({ owner, qualified }) => owner === first?.owner && qualified === first?.qualified);
  return first !== undefined && parsed.length === bindings.length && isOneClass
    ? parsedFields(source, first)
    : undefined;
}

/** Fields of an object whose class is filled from the command line. */
export function parsedFields(source: Source, { owner, ownedBy }: Pick<ArgumentClass, 'owner' | 'ownedBy'>): Fields {
  if (owner === undefined) return withGivenOptions(source, { fields: new Map(), open: undefined });
  const own = source.handedOver(ownedBy, classFields(ownedBy, owner, 0));
  const options = optionsOf(source, own);
  // The base of transformers' own arguments has options that no file here shows.
  return own.open === undefined ? options : withGivenOptions(source, options);
}

/** With what the command line gives beyond the fields that are seen. */
function withGivenOptions(source: Source, { fields, open }: Fields): Fields {
  const more = new Map(fields);
  for (const name of source.options?.names ?? []) {
    const given = more.has(name) ? undefined : source.options?.find([name]);
    if (given !== undefined) more.set(name, { ...given, unless: undefined, option: undefined });
  }
  return { fields: more, open };
}

/** What an imported name leads to: a class for its defaults, an object that the other file made. */
function outsideFields(source: Source, name: Expression): Fields | undefined {
  const outside = source.outside(name);
  if (outside === undefined) return undefined;
  const { source: there } = outside;
  const fields =
    'value' in outside
      ? there.fieldsOf(outside.value)
      : outside.definition.kind === 'class'
        ? classFields(there, outside.definition, 0)
        : undefined;
  return fields && source.handedOver(there, fields);
}

/** Fields of a class whose instances come from a command line: each is an option of its own name. */
const optionsOf = (source: Source, { fields, open }: Fields): Fields => ({
  fields: new Map(
    [...fields].map(([name, field]) => [name, givenField(source, [name], { ...field, option: `--${name}` })]),
  ),
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
    } else {
      const outside = depth < longestInheritance ? source.outside(base) : undefined;
      if (outside !== undefined && 'definition' in outside && outside.definition.kind === 'class') {
        const inherited = source.handedOver(outside.source, classFields(outside.source, outside.definition, depth + 1));
        for (const [name, field] of inherited.fields) fields.set(name, field);
        open ??= inherited.open;
      } else if (!isPlainBase(targets[0]?.qualified, base)) open = base;
    }
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
  const factory = value.arguments.find(
    (one) => one.kind === 'keyword' && /^(default_factory|factory)$/.test(one.name.name),
  );
  if (factory?.value.kind === 'lambda') return factory.value.body;
  const [first] = value.arguments;
  return given?.value ?? (called.endsWith('.Field') && first?.kind === 'positional' ? first.value : undefined);
}

function withChanges(source: Source, made: Fields, root: Expression, use: Use, only: string | undefined): Fields {
  const changes = source.changesOf(root).filter(({ key }) => only === undefined || key === undefined || key === only);
  if (changes.length === 0) return made;
  let { open } = made;
  const fields = new Map(made.fields);
  for (const change of changes) {
    const happens = happensBefore(source, { start: change.span.start, around: change.around }, use);
    if (happens === false) continue;
    if (change.key === undefined) {
      open = change.span;
      continue;
    }
    const before = fields.get(change.key);
    const roots = source.rootsOf(change.object);
    const certain = happens === true && (roots.length === 1 || isSameCommandLine(source, roots));
    if (!certain) {
      if (before !== undefined) fields.set(change.key, { ...before, unless: change.span });
    } else {
      const { value } = change;
      const set: Field = { value, at: change.span, unless: undefined, option: undefined };
      fields.set(change.key, before === undefined ? set : { ...set, before });
    }
  }
  return { fields, open };
}
