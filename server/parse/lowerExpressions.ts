import type {
  Argument,
  Call,
  Expression,
  KeywordArgument,
  Name,
  Parameter,
  StringLiteral,
} from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { type Origin, placed } from './placed.ts';
import { stringValue } from './stringLiteral.ts';
import type { Syntax } from './syntax.ts';

/** Deeper nesting than any person writes: below it an expression becomes opaque instead of exhausting the stack. */
const deepest = 300;

/** Lowers expressions of one text; keeps nothing but the nesting depth between calls. */
export class ExpressionLowering {
  readonly origin: Origin;
  readonly #text: string;
  #depth = 0;

  constructor(text: string, origin: Origin) {
    this.#text = text;
    this.origin = origin;
  }

  textOf(node: Span): string {
    return this.#text.slice(node.start, node.end);
  }

  name(node: Syntax): Name {
    return placed({ kind: 'name', name: this.textOf(node), origin: this.origin, from: node.start, to: node.end });
  }

  optional(node: Syntax | undefined): Expression | undefined {
    return node === undefined ? undefined : this.expression(node);
  }

  expression(node: Syntax): Expression {
    if (this.#depth >= deepest)
      return placed({
        kind: 'otherExpression',
        what: 'too_deep',
        children: [],
        origin: this.origin,
        from: node.start,
        to: node.end,
      });
    this.#depth++;
    try {
      return this.#lower(node);
    } finally {
      this.#depth--;
    }
  }

  #lower(node: Syntax): Expression {
    const { start, end } = node;
    const { origin } = this;
    switch (node.type) {
      case 'identifier':
      case 'dotted_name':
        return this.#dottedName(node);
      case 'attribute': {
        const object = child(node, 'object');
        const attribute = child(node, 'attribute');
        if (object === undefined || attribute === undefined) return this.#other(node);
        return placed({
          kind: 'attribute',
          object: this.expression(object),
          attribute: this.name(attribute),
          origin,
          from: start,
          to: end,
        });
      }
      case 'subscript': {
        const object = child(node, 'value');
        if (object === undefined) return this.#other(node);
        return placed({
          kind: 'subscript',
          object: this.expression(object),
          indices: this.#all(fieldAll(node, 'subscript')),
          origin,
          from: start,
          to: end,
        });
      }
      case 'call':
        return this.#call(node);
      case 'string':
      case 'concatenated_string':
        return this.#string(node);
      case 'integer':
      case 'float':
        return placed({
          kind: 'number',
          value: numberValue(this.textOf(node)),
          isFloat: node.type === 'float',
          origin,
          from: start,
          to: end,
        });
      case 'true':
        return placed({ kind: 'constant', value: true, origin, from: start, to: end });
      case 'false':
        return placed({ kind: 'constant', value: false, origin, from: start, to: end });
      case 'none':
        return placed({ kind: 'constant', value: null, origin, from: start, to: end });
      case 'parenthesized_expression':
      case 'as_pattern_target':
      case 'type': {
        const [inner, ...more] = named(node);
        return inner === undefined || more.length > 0 ? this.#other(node) : this.expression(inner);
      }
      case 'list':
      case 'list_pattern':
        return placed({ kind: 'list', elements: this.#all(named(node)), origin, from: start, to: end });
      case 'tuple':
      case 'tuple_pattern':
      case 'pattern_list':
      case 'expression_list':
        return placed({ kind: 'tuple', elements: this.#all(named(node)), origin, from: start, to: end });
      case 'set':
        return placed({ kind: 'set', elements: this.#all(named(node)), origin, from: start, to: end });
      case 'dictionary':
        return placed({
          kind: 'dictionary',
          entries: named(node).map((entry) => this.#dictionaryEntry(entry)),
          origin,
          from: start,
          to: end,
        });
      case 'lambda': {
        const body = child(node, 'body');
        if (body === undefined) return this.#other(node);
        return placed({
          kind: 'lambda',
          parameters: this.parameters(child(node, 'parameters')),
          body: this.expression(body),
          origin,
          from: start,
          to: end,
        });
      }
      case 'conditional_expression': {
        const [whenTrue, test, whenFalse] = named(node);
        if (whenTrue === undefined || test === undefined || whenFalse === undefined) return this.#other(node);
        return placed({
          kind: 'conditional',
          test: this.expression(test),
          whenTrue: this.expression(whenTrue),
          whenFalse: this.expression(whenFalse),
          origin,
          from: start,
          to: end,
        });
      }
      case 'binary_operator':
      case 'boolean_operator': {
        const left = child(node, 'left');
        const right = child(node, 'right');
        if (left === undefined || right === undefined) return this.#other(node);
        const operator = child(node, 'operator')?.type ?? '?';
        return placed({
          kind: 'binary',
          operator,
          left: this.expression(left),
          right: this.expression(right),
          origin,
          from: start,
          to: end,
        });
      }
      case 'unary_operator':
      case 'not_operator': {
        const operand = child(node, 'argument');
        if (operand === undefined) return this.#other(node);
        return placed({
          kind: 'unary',
          operator: node.children[0]?.type ?? '?',
          operand: this.expression(operand),
          origin,
          from: start,
          to: end,
        });
      }
      case 'comparison_operator':
        return placed({
          kind: 'comparison',
          operands: this.#all(named(node).filter((part) => part.field !== 'operators')),
          operators: node.children.filter((part) => part.field === 'operators').map((part) => this.textOf(part)),
          origin,
          from: start,
          to: end,
        });
      case 'list_comprehension':
      case 'set_comprehension':
      case 'dictionary_comprehension':
      case 'generator_expression':
        return this.#comprehension(node);
      case 'list_splat':
      case 'list_splat_pattern':
      case 'dictionary_splat':
      case 'dictionary_splat_pattern': {
        const [value] = named(node);
        return value === undefined
          ? this.#other(node)
          : placed({ kind: 'starred', value: this.expression(value), origin, from: start, to: end });
      }
      case 'named_expression': {
        const name = child(node, 'name');
        const value = child(node, 'value');
        if (name === undefined || value === undefined) return this.#other(node);
        return placed({
          kind: 'named',
          name: this.name(name),
          value: this.expression(value),
          origin,
          from: start,
          to: end,
        });
      }
      default:
        return this.#other(node);
    }
  }

  /** `a.b.c` in a decorator or a pattern is one grammar node; expressions elsewhere nest attributes, so this does too. */
  #dottedName(node: Syntax): Expression {
    const parts = node.type === 'identifier' ? [node] : named(node);
    const [first, ...rest] = parts;
    if (first === undefined) return this.#other(node);
    return rest.reduce<Expression>(
      (object, part) =>
        placed({
          kind: 'attribute',
          object,
          attribute: this.name(part),
          origin: this.origin,
          from: node.start,
          to: part.end,
        }),
      this.name(first),
    );
  }

  #call(node: Syntax): Expression {
    const callee = child(node, 'function');
    const list = child(node, 'arguments');
    if (callee === undefined || list === undefined) return this.#other(node);
    const call: Call = placed({
      kind: 'call',
      callee: this.expression(callee),
      arguments: list.type === 'generator_expression' ? [this.#positional(list)] : kept(this.arguments(list)),
      argumentList: placed({ origin: this.origin, from: list.start, to: list.end }),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
    return call;
  }

  arguments(list: Syntax): Argument[] {
    return named(list).map((node) => {
      switch (node.type) {
        case 'keyword_argument':
          return this.keyword(node) ?? this.#positional(node);
        case 'list_splat':
        case 'dictionary_splat': {
          const [value] = named(node);
          if (value === undefined) return this.#positional(node);
          const of = node.type === 'list_splat' ? 'positional' : 'keyword';
          return placed({
            kind: 'splat',
            of,
            value: this.expression(value),
            origin: this.origin,
            from: node.start,
            to: node.end,
          });
        }
        default:
          return this.#positional(node);
      }
    });
  }

  keyword(node: Syntax): KeywordArgument | undefined {
    const name = child(node, 'name');
    const value = child(node, 'value');
    if (name === undefined || value === undefined) return undefined;
    return placed({
      kind: 'keyword',
      name: this.name(name),
      value: this.expression(value),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #positional(node: Syntax): Argument {
    return placed({
      kind: 'positional',
      value: this.expression(node),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  parameters(list: Syntax | undefined): Parameter[] {
    const parameters: Parameter[] = [];
    let keywordOnly = false;
    for (const node of list === undefined ? [] : named(list)) {
      if (node.type === 'keyword_separator') keywordOnly = true;
      const parameter = this.#parameter(node, keywordOnly);
      if (parameter === undefined) continue;
      parameters.push(parameter);
      if (parameter.form === 'tuple') keywordOnly = true;
    }
    return kept(parameters);
  }

  #parameter(node: Syntax, keywordOnly: boolean): Parameter | undefined {
    const splat = { list_splat_pattern: 'tuple', dictionary_splat_pattern: 'dict' } as const;
    const inner =
      node.type === 'typed_parameter' ? named(node)[0] : node.type === 'identifier' ? node : child(node, 'name');
    const holder = inner ?? node;
    const form = holder.type in splat ? splat[holder.type as keyof typeof splat] : 'plain';
    const name = form === 'plain' ? holder : named(holder)[0];
    if (name?.type !== 'identifier') return undefined;
    return placed({
      name: this.textOf(name),
      form,
      keywordOnly: keywordOnly && form === 'plain',
      annotation: this.optional(child(node, 'type')),
      default: this.optional(child(node, 'value')),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #string(node: Syntax): StringLiteral {
    const pieces = node.type === 'string' ? [node] : named(node).filter((part) => part.type === 'string');
    const values = pieces.map((piece) => stringValue(piece, this.#text));
    const interpolations = pieces.flatMap((piece) =>
      piece.children
        .filter((part) => part.type === 'interpolation')
        .flatMap((part) => this.#all(named(part).slice(0, 1))),
    );
    const value = values.every((part) => part !== undefined) ? values.join('') : undefined;
    return placed({
      kind: 'string',
      value,
      interpolations: kept(interpolations),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #dictionaryEntry(entry: Syntax): { key: Expression | undefined; value: Expression } {
    const key = child(entry, 'key');
    const value = child(entry, 'value');
    if (key !== undefined && value !== undefined) return { key: this.expression(key), value: this.expression(value) };
    const [inner] = named(entry);
    return { key: undefined, value: inner === undefined ? this.#other(entry) : this.expression(inner) };
  }

  #comprehension(node: Syntax): Expression {
    const form = node.type.startsWith('generator')
      ? 'generator'
      : (node.type.slice(0, -'_comprehension'.length) as 'list' | 'set' | 'dictionary');
    const body = child(node, 'body');
    const elements = body === undefined ? [] : body.type === 'pair' ? this.#all(named(body)) : [this.expression(body)];
    const clauses: { target: Expression; iterable: Expression; conditions: Expression[] }[] = [];
    for (const part of named(node)) {
      if (part.type === 'for_in_clause') {
        const target = child(part, 'left');
        const iterable = fieldAll(part, 'right');
        const [first] = iterable;
        if (target !== undefined && first !== undefined) {
          clauses.push({ target: this.expression(target), iterable: this.expression(first), conditions: [] });
        }
      } else if (part.type === 'if_clause') {
        clauses.at(-1)?.conditions.push(...this.#all(named(part)));
      }
    }
    return placed({
      kind: 'comprehension',
      form,
      elements,
      clauses,
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #other(node: Syntax): Expression {
    const children = this.#all(named(node).filter((part) => !structural.has(part.type)));
    return placed({
      kind: 'otherExpression',
      what: node.type,
      children,
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #all(nodes: readonly Syntax[]): Expression[] {
    return nodes.map((node) => this.expression(node));
  }
}

/** Parts of statements that can turn up below an error node; their own expressions are out of reach there, and should be. */
const structural = new Set(['block', 'parameters', 'argument_list', 'import_prefix', 'ERROR']);

/** A list that grows reserves room for more, and most lists of a tree have one element or none; the tree stays long. */
export const kept = <T>(list: T[]): T[] => (list.length === 0 ? nothing : list.slice());

const nothing: never[] = [];

export const child = (node: Syntax, field: string): Syntax | undefined =>
  node.children.find((part) => part.field === field);

export const fieldAll = (node: Syntax, field: string): Syntax[] =>
  node.children.filter((part) => part.field === field && part.named);

/** Comments and line continuations may stand anywhere and are no part of any construct. */
export const isCode = (node: Syntax): boolean =>
  node.named && node.type !== 'comment' && node.type !== 'line_continuation';

export const named = (node: Syntax): Syntax[] => node.children.filter(isCode);

function numberValue(text: string): number | undefined {
  const digits = text.replaceAll('_', '');
  if (/[jJlL]$/.test(digits)) return undefined;
  const value = Number(/^0\d+$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : digits);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(digits))
    ? value
    : undefined;
}
