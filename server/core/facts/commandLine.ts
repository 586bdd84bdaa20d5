import type { Call, ClassDefinition, Expression } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { Field, Fields, Source } from './source.ts';

/** Defaults of `argparse` options, if `call` is a `parse_args()` on a parser made in this file. */
export function commandLineFields(source: Source, call: Call): Fields | undefined {
  const { callee } = call;
  if (callee.kind !== 'attribute' || callee.attribute.name !== 'parse_args') return undefined;
  const parser = parserBehind(source, callee.object);
  if (parser === undefined) return undefined;
  const fields = new Map<string, Field>();
  let open: Fields['open'];
  for (const { call: one } of source.calls) {
    if (one.callee.kind !== 'attribute') continue;
    const method = one.callee.attribute.name;
    if (method !== 'add_argument' && method !== 'set_defaults') continue;
    if (parserBehind(source, one.callee.object) !== parser) continue;
    if (method === 'set_defaults') {
      for (const argument of one.arguments) {
        if (argument.kind !== 'keyword') open = argument;
        else fields.set(argument.name.name, { ...unset(argument), value: argument.value });
      }
      continue;
    }
    const option = optionOf(one);
    if (option !== undefined) fields.set(option.name, option.field);
  }
  return { fields, open };
}

/** Every option of every parser in the file, whichever it is. */
export function allOptions(source: Source): readonly { readonly name: string; readonly field: Field }[] {
  return source.calls.flatMap(({ call }) => {
    const isOption = call.callee.kind === 'attribute' && call.callee.attribute.name === 'add_argument';
    const found = isOption ? optionOf(call) : undefined;
    return found === undefined ? [] : [found];
  });
}

export interface ArgumentClass {
  readonly name: string;
  /** Where the name is bound, as bindings count it. */
  readonly from: number;
  /** Undefined where the class is another library's. */
  readonly owner: ClassDefinition | undefined;
  readonly qualified: string | undefined;
  readonly span: Span;
}

/** `model_args, data_args = HfArgumentParser((A, B)).parse_args_into_dataclasses()`: which name stands for which class. */
export function argumentClasses(source: Source): readonly ArgumentClass[] {
  return source.unpackings.flatMap(({ targets, value, end }): ArgumentClass[] => {
    if (value.kind !== 'call' || value.callee.kind !== 'attribute') return [];
    if (!/^parse_args_(into_dataclasses|and_config)$/.test(value.callee.attribute.name)) return [];
    const owners = dataclassesOf(source, value.callee.object);
    return targets.flatMap((target, index) => {
      const known = owners[index];
      return target.kind === 'name' && known !== undefined ? [{ ...known, name: target.name, from: end }] : [];
    });
  });
}

function dataclassesOf(source: Source, parser: Expression): readonly Omit<ArgumentClass, 'name' | 'from'>[] {
  const [made] = source.rootsOf(parser);
  if (made?.kind !== 'call') return [];
  const called = source.names.qualifiedName(made.callee) ?? '';
  if (!/^(transformers|trl)\..*(HfArgumentParser|TrlParser|H4ArgumentParser)$/.test(called)) return [];
  const [first] = made.arguments;
  if (first === undefined) return [];
  const [list] = source.rootsOf(first.value);
  const elements = list?.kind === 'tuple' || list?.kind === 'list' ? list.elements : [first.value];
  return elements.map((element) => {
    const definition = source.names.resolve(element).targets[0]?.definition;
    const owner = definition?.kind === 'class' ? definition : undefined;
    return { owner, qualified: source.names.qualifiedName(element), span: element };
  });
}

/** Groups share the options of the parser they were made from. */
function parserBehind(source: Source, object: Expression): Expression | undefined {
  let [root] = source.rootsOf(object);
  for (let step = 0; step < 4 && root?.kind === 'call'; step++) {
    const { callee } = root;
    if (/(^|\.)ArgumentParser$/.test(source.names.qualifiedName(callee) ?? '')) return root;
    if (callee.kind !== 'attribute' || !/^add_(argument|mutually_exclusive)_group$/.test(callee.attribute.name))
      return undefined;
    [root] = source.rootsOf(callee.object);
  }
  return undefined;
}

function optionOf(call: Call): { readonly name: string; readonly field: Field } | undefined {
  const flags = call.arguments.flatMap((argument) =>
    argument.kind === 'positional' && argument.value.kind === 'string' ? [argument.value.value ?? ''] : [],
  );
  const keyword = (name: string): Expression | undefined =>
    call.arguments.find((argument) => argument.kind === 'keyword' && argument.name.name === name)?.value;
  const flag = flags.find((one) => one.startsWith('--')) ?? flags[0];
  const destination = keyword('dest');
  if (flag === undefined) return undefined;
  const own = destination?.kind === 'string' ? destination.value : undefined;
  const name = own ?? flag.replace(/^-+/, '').replaceAll('-', '_');
  const action = keyword('action');
  const value = keyword('default') ?? switchDefault(action);
  return { name, field: { ...unset(value ?? call), value, option: flag } };
}

/** A switch is off until it is given; the place to show is the action that makes it one. */
function switchDefault(action: Expression | undefined): Expression | undefined {
  if (action?.kind !== 'string') return undefined;
  const value = action.value === 'store_true' ? false : action.value === 'store_false' ? true : undefined;
  return value === undefined ? undefined : { kind: 'constant', value, start: action.start, end: action.end };
}

const unset = (at: { readonly start: number; readonly end: number }): Field => ({
  value: undefined,
  at: { start: at.start, end: at.end },
  unless: undefined,
  option: undefined,
});
