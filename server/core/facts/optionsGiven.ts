import type { Expression } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { Place } from './facts.ts';

/** What the command line that starts a script gives its options, as far as it is known. */
export interface OptionsGiven {
  /** By the option's name, with or without dashes; undefined where the command line does not give it. */
  find(name: string): OptionGiven | undefined;
  readonly names: readonly string[];
}

export interface OptionGiven {
  /** Undefined where it is given something that could not be read. */
  readonly value: OptionContent | undefined;
  readonly place: Place;
}

export type OptionContent = OptionScalar | readonly OptionScalar[];

type OptionScalar = string | number | boolean | null;

/** Options as expressions, so that code which asks for one reads it like any other value. */
export interface OptionExpressions {
  /** Of several names of one option the first that is given. */
  find(names: readonly string[]): OptionExpression | undefined;
  readonly names: readonly string[];
  /** Where such an expression is written. */
  placeOf(at: Span): Place | undefined;
}

export interface OptionExpression {
  readonly value: Expression | undefined;
  readonly at: Span;
}

export function optionExpressions(options: OptionsGiven): OptionExpressions {
  const known = new Map<string, OptionExpression | undefined>();
  const places = new WeakMap<Span, Place>();
  const placed = <T extends Span>(span: T, place: Place): T => {
    places.set(span, place);
    return span;
  };
  const scalar = (value: OptionScalar, place: Place): Expression => {
    const { start, end } = place.span;
    if (typeof value === 'number')
      return placed({ kind: 'number', value, isFloat: !Number.isInteger(value), start, end }, place);
    if (typeof value === 'string') return placed({ kind: 'string', value, interpolations: [], start, end }, place);
    return placed({ kind: 'constant', value, start, end }, place);
  };
  const made = ({ value, place }: OptionGiven): OptionExpression => {
    if (value === undefined) return { value, at: placed({ ...place.span }, place) };
    if (!isList(value)) {
      const expression = scalar(value, place);
      return { value: expression, at: expression };
    }
    const { start, end } = place.span;
    const elements = value.map((one) => scalar(one, place));
    const list: Expression = placed({ kind: 'list', elements, start, end }, place);
    return { value: list, at: list };
  };
  const one = (name: string): OptionExpression | undefined => {
    const given = known.has(name) ? undefined : options.find(name);
    if (!known.has(name)) known.set(name, given && made(given));
    return known.get(name);
  };
  return {
    find: (names) => names.map(one).find((given) => given !== undefined),
    names: options.names,
    placeOf: (at) => places.get(at),
  };
}

const isList = (value: OptionContent): value is readonly OptionScalar[] => Array.isArray(value);
