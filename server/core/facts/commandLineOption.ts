import type { Call, Expression } from '../python/ast.ts';
import type { Field, Source } from './source.ts';

/** One `add_argument(…)`: the name its value gets and what it is, given or left to its default. */
export function optionOf(source: Source, call: Call): { readonly name: string; readonly field: Field } | undefined {
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
  const given = keyword('default');
  const value =
    given === undefined ? withoutDefault(source, call, flag, keyword) : converted(source, given, keyword('type'));
  const at = value ?? call;
  const standard: Field = { value, at: { start: at.start, end: at.end }, unless: undefined, option: flag };
  const action = keyword('action');
  const isTurned = action?.kind === 'string' && action.value === 'store_false';
  return { name, field: givenField(source, [...flags, name], standard, isTurned) };
}

/** With what the command line gives, where it gives the option; a switch that is given turns off what is `isTurned`. */
export function givenField(source: Source, names: readonly string[], standard: Field, isTurned = false): Field {
  const given = source.options?.find(names);
  if (given === undefined) return standard;
  const { at, value: said } = given;
  const value =
    isTurned && said?.kind === 'constant' && said.value === true ? standard.value && off(standard.value) : said;
  return { value, at, unless: undefined, option: undefined, before: standard };
}

const off = ({ start, end }: Expression): Expression => ({ kind: 'constant', value: false, start, end });

type Keyword = (name: string) => Expression | undefined;

/**
 * A switch is off until it is given, and the place to show is the action that makes it one; any other option is `None`.
 * Undefined for what has to be given.
 */
function withoutDefault(source: Source, call: Call, flag: string, keyword: Keyword): Expression | undefined {
  const action = keyword('action');
  const switched = action?.kind === 'string' ? action.value : undefined;
  const { start, end } = action ?? call;
  if (switched === 'store_true' || switched === 'store_false')
    return { kind: 'constant', value: switched === 'store_false', start, end };
  const required = keyword('required');
  const isOptional = flag.startsWith('-') && (required === undefined || source.read(required)?.value === false);
  const isOpen = call.arguments.some(({ kind }) => kind === 'splat');
  return isOptional && !isOpen ? { kind: 'constant', value: null, start: call.start, end: call.end } : undefined;
}

/** argparse converts a default that is a text by the option's type. */
function converted(source: Source, value: Expression, type: Expression | undefined): Expression {
  if (value.kind !== 'string' || value.value === undefined || type?.kind !== 'name') return value;
  if ((type.name !== 'int' && type.name !== 'float') || source.names.bindingsOf(type).length > 0) return value;
  const number = Number(value.value);
  if (value.value.trim() === '' || !Number.isFinite(number)) return value;
  return { kind: 'number', value: number, isFloat: type.name === 'float', start: value.start, end: value.end };
}
