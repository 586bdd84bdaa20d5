import type {
  Attribute,
  Call,
  ClassDefinition,
  Expression,
  For,
  FunctionDefinition,
  If,
  Match,
  Module,
  Name,
  Try,
  While,
} from '../python/ast.ts';
import type { Constant } from '../python/constants.ts';
import type { Names, Target } from '../python/names.ts';
import type { Span } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { Fact, Origin, Place } from './facts.ts';
import type { OptionExpressions } from './optionsGiven.ts';
import type { Outside } from './project.ts';

/** One parsed file with everything that the readers of facts ask about it. */
export interface Source {
  readonly module: Module;
  readonly names: Names;
  /** Of the libraries the code runs on, as far as they are known. */
  readonly versions: Versions;
  /** What the command line gives the script's options, where it is known. */
  readonly options: OptionExpressions | undefined;
  /** Calls in source order; those in code the parser could not make sense of are left out. */
  readonly calls: readonly CallHere[];
  readonly classes: readonly ClassDefinition[];
  /** `object.key = value` and its relatives that may concern the object `root` stands for, in source order. */
  changesOf(root: Expression): readonly Change[];
  /** All changes, whatever they concern. */
  readonly changes: readonly Change[];
  /** `name = value` outside class bodies, by name; no value where the name is bound to something not written down. */
  readonly assignments: ReadonlyMap<string, readonly Assignment[]>;
  /** Every `object.name`, by name. */
  readonly attributes: ReadonlyMap<string, readonly Attribute[]>;
  /** `a, b = value`, where `value` is not itself written as a tuple. */
  readonly unpackings: readonly Unpacking[];
  /** The file that an expression or a span belongs to: this one, unless it came out of another file. */
  ownerOf(span: Span): Source;
  /** What an imported name stands for in another file of the workspace. */
  outside(expression: Expression): Outside | undefined;
  /** What was read in `owner`, marked as belonging there. */
  handedOver<T extends ReadValue | Fields | Expression>(owner: Source, handed: T): T;
  /** Marks spans that were found in `owner`. */
  belongsTo(owner: Source, spans: readonly Span[]): void;
  /** The content of a configuration file beside this one, as an expression that belongs there. */
  config(path: string): Expression | undefined;
  placeOf(span: Span): Place;
  lineOf(span: Span): number;
  surroundingsAt(offset: number): Surroundings;
  /** What the expression stands for when names are followed to what they were bound to; several where that is not decided. */
  rootsOf(expression: Expression): readonly Expression[];
  /** What the one call of its function gives a parameter. */
  argumentFor(parameter: Name): Expression | undefined;
  /** What another file gives the parameter, once it is known which call of that file counts. */
  argumentFromElsewhere(parameter: Name): Expression | undefined;
  /** Of all calls of a function of this file the one in `caller` counts. */
  calledFrom(definition: FunctionDefinition, caller: Source, call: Call): void;
  /** The value of an expression, where it is certain. */
  read(expression: Expression): ReadValue | undefined;
  /**
   * What is known of an object's attributes or a dictionary's items, as they are at `use`. With `only`, the others may be as
   * they were before they were changed.
   */
  fieldsOf(expression: Expression, use?: Use, only?: string): Fields | undefined;
  /** What a call gives by keyword, followed `**options` included. */
  givenTo(call: Call): Fields;
  /** What a `with` statement binds this name to. */
  openedAs(name: Expression): Expression | undefined;
  /** The name a call's result is bound to, where it is bound to one. */
  assignedName(call: Expression): string | undefined;
  /** Whether a condition holds; undefined where that is not known. */
  holds(condition: Condition): boolean | undefined;
}

export interface CallHere {
  readonly call: Call;
  /** The one thing the callee stands for, arguments that `functools.partial` gave ahead included. */
  readonly target: Target | undefined;
  /** The callee's one qualified name, from its import on, where nothing is given ahead. */
  readonly qualified: string | undefined;
  /** The callee, where this file defines it. */
  readonly definition: ClassDefinition | FunctionDefinition | undefined;
  readonly around: Surroundings;
}

/** What a statement stands in, as far as its own function goes. */
export interface Surroundings {
  readonly conditions: readonly Condition[];
  readonly loops: readonly For[];
  readonly function: FunctionDefinition | undefined;
  readonly class: ClassDefinition | undefined;
}

/** One block of a statement that may be passed over; branches are numbered as `partsOf` gives the blocks. */
export interface Condition {
  readonly statement: If | For | While | Try | Match;
  readonly branch: number;
}

export interface Change {
  readonly object: Expression;
  /** Undefined where the key is not known: any may have changed. */
  readonly key: string | undefined;
  /** Undefined where the new value is not written down. */
  readonly value: Expression | undefined;
  readonly span: Span;
  readonly around: Surroundings;
}

export interface Unpacking {
  readonly targets: readonly Expression[];
  readonly value: Expression;
  /** From here on the names are bound. */
  readonly end: number;
}

export interface Assignment {
  readonly value: Expression | undefined;
  readonly around: Surroundings;
}

/** Where an object is looked at: what happens to it later does not count. */
export interface Use {
  readonly offset: number;
  readonly around: Surroundings;
}

export interface Fields {
  readonly fields: ReadonlyMap<string, Field>;
  /** Where more fields may come from, or other values for these: `**options`, a parser filled elsewhere. */
  readonly open: Span | undefined;
}

export interface Field {
  /** Undefined where the field is set to something that is not written down. */
  readonly value: Expression | undefined;
  /** Where it was set. */
  readonly at: Span;
  /** A change that may or may not happen before the use. */
  readonly unless: Span | undefined;
  /** The command-line option whose default this is. */
  readonly option: string | undefined;
  /** What it was before a later line set it. */
  readonly before?: Field;
}

export interface ReadValue {
  readonly value: Constant;
  /** The literal, or the whole computation. */
  readonly at: Span;
  /** The computation in words; undefined for a literal. */
  readonly from: string | undefined;
  /** What it hangs on beyond the file: a kind of GPU, an environment variable, a change that may happen. */
  readonly supposing: string | undefined;
  /** Command-line options whose defaults went into it. */
  readonly options: readonly string[];
  /** What was set before under the same name and is replaced. */
  readonly lost?: readonly ReadValue[];
}

/** A value that hangs on something outside the file is not claimed to be just what is written. */
export function originOf(source: Source, read: Omit<ReadValue, 'options' | 'lost'>): Origin {
  const place = source.placeOf(read.at);
  if (read.from === undefined && read.supposing === undefined) return { kind: 'literal', place };
  const from = read.from ?? String(read.value);
  return { kind: 'derived', from: read.supposing === undefined ? from : `${from}, ${read.supposing}`, place };
}

/** A value as a fact, with what it replaces. */
export function factOf<T>(source: Source, read: ReadValue, value: T): Fact<T> {
  const lost = (read.lost ?? []).map((each) => ({ value: each.value, origin: originOf(source, each) }));
  return { value, origin: originOf(source, read), ...(lost.length > 0 && { lost }) };
}

/** A fact with other values beside it that do not count; those that say the same are left out. */
export function withLost<T>(fact: Fact<T>, others: readonly (Fact<T> | undefined)[]): Fact<T> {
  const said = new Set([JSON.stringify(fact.value)]);
  const lost = [...(fact.lost ?? [])];
  for (const other of others) {
    const value = JSON.stringify(other?.value);
    if (other === undefined || said.has(value)) continue;
    said.add(value);
    lost.push({ value: other.value, origin: other.origin });
  }
  return lost.length > 0 ? { ...fact, lost } : fact;
}

/** An expression as it is written, cut to what fits in a sentence. */
export function writtenAs(source: Source, span: Span): string {
  const text = source.ownerOf(span).module.text.slice(span.start, span.end).replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

export const lastName = (callee: Expression): string =>
  callee.kind === 'attribute' ? callee.attribute.name : callee.kind === 'name' ? callee.name : '';

/** For what is concluded from a stretch of code. */
export const derivedAt = (source: Source, at: Span, from: string): Origin => ({
  kind: 'derived',
  from,
  place: source.placeOf(at),
});
