import type { Call, ClassDefinition, Expression } from '../python/ast.ts';
import { oncePer } from '../python/oncePer.ts';
import { ownStatements } from '../python/walk.ts';
import type { Span } from '../text/span.ts';
import { givenField, optionOf } from './commandLineOption.ts';
import { type Field, type Fields, lastName, type Source } from './source.ts';

/** Defaults of `argparse` options, if `call` is a `parse_args()` on a parser made in this file or one it imports. */
export function commandLineFields(source: Source, call: Call): Fields | undefined {
  const { callee } = call;
  if (callee.kind !== 'attribute' || !/^parse_(known_)?args$/.test(callee.attribute.name)) return undefined;
  const parser = parserBehind(source, callee.object);
  return parser && optionsOfParser(source, parser, 0);
}

/** The same parser, asked in one way or another: `parse_args(given)` in one branch, `parse_args()` in the other. */
export function isSameCommandLine(source: Source, roots: readonly Expression[]): boolean {
  const made = roots.map((root) => {
    const isCall = root.kind === 'call' && root.callee.kind === 'attribute';
    return isCall && root.callee.kind === 'attribute' ? parserBehind(source, root.callee.object)?.made : undefined;
  });
  return made[0] !== undefined && made.every((each) => each === made[0]);
}

/** `args, rest = parser.parse_known_args()`: the name bound at `from` is the first of the two. */
export function knownArgumentsAt(source: Source, name: string, from: number): Fields | undefined {
  const found = source.unpackings.find(({ targets, end }) => {
    const [first] = targets;
    return end === from && first?.kind === 'name' && first.name === name;
  });
  return found?.value.kind === 'call' ? commandLineFields(source, found.value) : undefined;
}

/** Every option of every parser in the file, and of those it calls another file for. */
export const allOptions = oncePer((source: Source): readonly { readonly name: string; readonly field: Field }[] =>
  source.calls.flatMap(({ call, qualified }) => {
    const name = lastName(call.callee);
    if (qualified === 'fire.Fire' || qualified === 'typer.run') return parametersOf(source, call);
    if (call.callee.kind === 'attribute' && name === 'add_argument') return optionOf(source, call) ?? [];
    if (!/^[a-z_]*(args?|arguments|options?|opts?|params|parser|config)$/.test(name)) return [];
    if (source.outside(call.callee) === undefined) return [];
    const fields = source.fieldsOf(call)?.fields ?? new Map<string, Field>();
    return [...fields].flatMap(([own, field]) => (field.option === undefined ? [] : [{ name: own, field }]));
  }),
);

/** fire and typer make an option of each parameter of the function they run. */
function parametersOf(source: Source, { arguments: [first] }: Call): readonly { name: string; field: Field }[] {
  const definition = first && source.names.resolve(first.value).targets[0]?.definition;
  if (definition?.kind !== 'function') return [];
  return definition.parameters.flatMap(({ name, default: value }) =>
    value === undefined
      ? []
      : [{ name, field: givenField(source, [name], { value, at: value, unless: undefined, option: `--${name}` }) }],
  );
}

export interface ArgumentClass {
  readonly name: string;
  /** Where the name is bound, as bindings count it. */
  readonly from: number;
  /** Undefined where the class is another library's. */
  readonly owner: ClassDefinition | undefined;
  /** The file that defines the class. */
  readonly ownedBy: Source;
  readonly qualified: string | undefined;
  readonly span: Span;
}

/** `model_args, data_args = HfArgumentParser((A, B)).parse_args_into_dataclasses()`: which name stands for which class. */
export const argumentClasses = oncePer((source: Source): readonly ArgumentClass[] => {
  const unpacked = source.unpackings.flatMap(({ targets, value, end }): ArgumentClass[] => {
    const owners = parsedClasses(source, value);
    return targets.flatMap((target, index) => {
      const known = owners[index];
      return target.kind === 'name' && known !== undefined ? [{ ...known, name: target.name, from: end }] : [];
    });
  });
  const single = [...source.assignments].flatMap(([name, all]) =>
    all.flatMap(({ value }): ArgumentClass[] => {
      const parsed = value && parsedClass(source, value);
      return parsed === undefined || value === undefined ? [] : [{ ...parsed, name, from: value.end }];
    }),
  );
  return [...unpacked, ...single];
});

type ParsedClass = Omit<ArgumentClass, 'name' | 'from'>;

/** `parser.parse_args_into_dataclasses()[0]`, `tyro.cli(Args)`, `simple_parsing.parse(Args)`. */
export function parsedClass(source: Source, value: Expression): ParsedClass | undefined {
  if (value.kind === 'subscript') {
    const index = value.indices[0] && source.read(value.indices[0])?.value;
    return typeof index === 'number' ? parsedClasses(source, value.object).at(index) : undefined;
  }
  if (
    value.kind !== 'call' ||
    // Asked of every call whose result has a name: most lead into files that need not be parsed.
    !/^(cli|parse)$/.test(lastName(value.callee)) ||
    !/^(tyro\.cli|simple_parsing\.parse)$/.test(source.names.qualifiedName(value.callee) ?? '')
  )
    return undefined;
  const [first] = value.arguments;
  return first?.kind === 'positional' ? classNamed(source, first.value) : undefined;
}

function parsedClasses(source: Source, value: Expression): readonly ParsedClass[] {
  if (value.kind !== 'call' || value.callee.kind !== 'attribute') return [];
  if (!/^parse_(args_(into_dataclasses|and_config)|json_file|yaml_file|dict)$/.test(value.callee.attribute.name))
    return [];
  const [made] = source.rootsOf(value.callee.object);
  const parser = made?.kind === 'call' ? classParser(source, made) : undefined;
  const [first] = parser?.arguments ?? [];
  if (first === undefined) return [];
  const [list] = source.rootsOf(first.value);
  const elements = list?.kind === 'tuple' || list?.kind === 'list' ? list.elements : [first.value];
  return elements.map((element) => classNamed(source, element));
}

/** A parser of dataclasses, or a function of this file that makes one. */
function classParser(source: Source, made: Call): Call | undefined {
  const isParser = (call: Call): boolean =>
    /(^|\.)(HfArgumentParser|TrlParser|H4ArgumentParser)$/.test(source.names.qualifiedName(call.callee) ?? '');
  if (isParser(made)) return made;
  const definition = source.names.resolve(made.callee).targets[0]?.definition;
  if (definition?.kind !== 'function') return undefined;
  const inside = source.calls.filter(({ call, around }) => around.function === definition && isParser(call));
  return inside.length === 1 ? inside[0]?.call : undefined;
}

function classNamed(source: Source, element: Expression): ParsedClass {
  const definition = source.names.resolve(element).targets[0]?.definition;
  const qualified = source.names.qualifiedName(element);
  if (definition?.kind === 'class') return { owner: definition, ownedBy: source, qualified, span: element };
  const outside = source.outside(element);
  return outside !== undefined && 'definition' in outside && outside.definition.kind === 'class'
    ? { owner: outside.definition, ownedBy: outside.source, qualified, span: element }
    : { owner: undefined, ownedBy: source, qualified, span: element };
}

/** A parser, and the file whose calls fill it. */
interface Parser {
  readonly source: Source;
  readonly made: Call;
}

/** Parsers that take each other in as parents are a circle beyond this. */
const deepestParents = 4;

function optionsOfParser(asking: Source, parser: Parser, depth: number): Fields {
  const { source, made } = parser;
  const known = optionsByParser(source);
  const options = known.get(made) ?? collectOptions(parser, depth);
  if (depth === 0) known.set(made, options);
  return asking.handedOver(source, options);
}

/** Scripts ask for one option after another, and every question is about all calls that fill the parser. */
const optionsByParser = oncePer((_: Source) => new Map<Call, Fields>());

function collectOptions({ source, made }: Parser, depth: number): Fields {
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  const parents = made.arguments.find((argument) => argument.kind === 'keyword' && argument.name.name === 'parents');
  if (parents?.value.kind === 'list' && depth < deepestParents) {
    for (const element of parents.value.elements) {
      const parent = parserBehind(source, element);
      const inherited = parent && optionsOfParser(source, parent, depth + 1);
      if (inherited === undefined) open = element;
      for (const [name, field] of inherited?.fields ?? []) fields.set(name, field);
    }
  }
  for (const { call } of source.calls) {
    if (call.callee.kind !== 'attribute') continue;
    const method = call.callee.attribute.name;
    if (method !== 'add_argument' && method !== 'set_defaults') continue;
    if (parserBehind(source, call.callee.object)?.made !== made) continue;
    if (method === 'set_defaults') {
      for (const argument of call.arguments) {
        if (argument.kind !== 'keyword') open = argument;
        else
          fields.set(argument.name.name, { value: argument.value, at: argument, unless: undefined, option: undefined });
      }
      continue;
    }
    const option = optionOf(source, call);
    if (option !== undefined) fields.set(option.name, option.field);
  }
  return { fields, open };
}

/** Functions of libraries that add options of their own and give the parser back. */
const passesOn = /^deepspeed\.(add_config_arguments|add_tuning_arguments)$/;

/** Groups share the options of the parser they were made from; a function may make the parser and give it back. */
function parserBehind(source: Source, object: Expression): Parser | undefined {
  let [root] = source.rootsOf(object);
  for (let step = 0; step < 6 && root?.kind === 'call'; step++) {
    const { callee } = root;
    const handedBack = passesOn.test(source.names.qualifiedName(callee) ?? '') ? root.arguments[0] : undefined;
    if (handedBack !== undefined) {
      [root] = source.rootsOf(handedBack.value);
      continue;
    }
    if (/(^|\.)\w*(ArgumentParser|ArgParser)$/.test(source.names.qualifiedName(callee) ?? ''))
      return { source, made: root };
    const definition = source.names.resolve(callee).targets[0]?.definition;
    if (definition?.kind === 'function') {
      const returned = soleReturn(definition.body);
      [root] = returned === undefined ? [] : source.rootsOf(returned);
      continue;
    }
    const outside = source.outside(callee);
    if (outside !== undefined && 'definition' in outside && outside.definition.kind === 'function') {
      const returned = soleReturn(outside.definition.body);
      return returned === undefined ? undefined : parserBehind(outside.source, returned);
    }
    if (callee.kind !== 'attribute' || !/^add_(argument|mutually_exclusive)_group$/.test(callee.attribute.name))
      return undefined;
    [root] = source.rootsOf(callee.object);
  }
  return undefined;
}

function soleReturn(body: Parameters<typeof ownStatements>[0]): Expression | undefined {
  const returns = [...ownStatements(body)].flatMap((statement) =>
    statement.kind === 'return' ? [statement.value] : [],
  );
  return returns.length === 1 ? returns[0] : undefined;
}
