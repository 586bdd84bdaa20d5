import type { Span } from '../text/span.ts';
import type { Stretches } from './stretches.ts';

/**
 * A small typed Python tree: what rules and facts read instead of live parser nodes. Spans are UTF-16 offsets into
 * `Module.text`. Constructs nobody asks about become `other` and keep their children, so a walk still reaches every call.
 */
export interface Module {
  readonly text: string;
  readonly body: readonly Statement[];
  readonly comments: readonly Comment[];
  /** Stretches the parser could not make sense of, widened to whole statements; say nothing about code inside them. */
  readonly unreliable: readonly Span[];
  /** Absent where no versions are followed. */
  readonly stretches?: Stretches;
}

export interface Comment extends Span {
  /** With its `#`, without the line break. */
  readonly text: string;
}

// ---- statements

export type Statement =
  | ExpressionStatement
  | Assign
  | AugmentedAssign
  | FunctionDefinition
  | ClassDefinition
  | Return
  | If
  | For
  | While
  | With
  | Try
  | Match
  | Import
  | ImportFrom
  | Global
  | OtherStatement;

export interface ExpressionStatement extends Span {
  readonly kind: 'expression';
  readonly value: Expression;
}

/** `a = b = value`, `a: T = value` and `a: T` (no value). */
export interface Assign extends Span {
  readonly kind: 'assign';
  readonly targets: readonly Expression[];
  readonly annotation: Expression | undefined;
  readonly value: Expression | undefined;
}

export interface AugmentedAssign extends Span {
  readonly kind: 'augmentedAssign';
  readonly target: Expression;
  readonly operator: string;
  readonly value: Expression;
}

export interface FunctionDefinition extends Span {
  readonly kind: 'function';
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly returns: Expression | undefined;
  readonly decorators: readonly Expression[];
  readonly isAsync: boolean;
  readonly body: readonly Statement[];
}

export interface Parameter extends Span {
  readonly name: string;
  /** `*args` is a `tuple`, `**kwargs` a `dict`; the markers `/` and `*` are not parameters and are left out. */
  readonly form: 'plain' | 'tuple' | 'dict';
  /** Given by keyword alone: it stands behind `*` or `*args`. */
  readonly keywordOnly: boolean;
  readonly annotation: Expression | undefined;
  readonly default: Expression | undefined;
}

export interface ClassDefinition extends Span {
  readonly kind: 'class';
  readonly name: Name;
  readonly bases: readonly Expression[];
  readonly keywords: readonly KeywordArgument[];
  readonly decorators: readonly Expression[];
  readonly body: readonly Statement[];
}

export interface Return extends Span {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

/** `elif` chains are kept flat: one branch each, then `orElse`. */
export interface If extends Span {
  readonly kind: 'if';
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly orElse: readonly Statement[];
}

export interface For extends Span {
  readonly kind: 'for';
  readonly target: Expression;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
  readonly orElse: readonly Statement[];
}

export interface While extends Span {
  readonly kind: 'while';
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly orElse: readonly Statement[];
}

export interface With extends Span {
  readonly kind: 'with';
  readonly items: readonly { readonly value: Expression; readonly target: Expression | undefined }[];
  readonly body: readonly Statement[];
}

export interface Try extends Span {
  readonly kind: 'try';
  readonly body: readonly Statement[];
  readonly handlers: readonly {
    readonly type: Expression | undefined;
    readonly name: Name | undefined;
    readonly body: readonly Statement[];
  }[];
  readonly orElse: readonly Statement[];
  readonly finallyBody: readonly Statement[];
}

export interface Match extends Span {
  readonly kind: 'match';
  readonly subject: Expression;
  readonly cases: readonly {
    /** Names the pattern binds. */
    readonly captures: readonly Name[];
    readonly guard: Expression | undefined;
    readonly body: readonly Statement[];
  }[];
}

/** `import a.b as c, d`. */
export interface Import extends Span {
  readonly kind: 'import';
  readonly names: readonly ImportedName[];
}

/** `from ..a.b import c as d`; `level` counts the leading dots; `star` stands for `import *`. */
export interface ImportFrom extends Span {
  readonly kind: 'importFrom';
  readonly module: string;
  readonly level: number;
  readonly star: boolean;
  readonly names: readonly ImportedName[];
}

export interface ImportedName extends Span {
  /** As written, dots included. */
  readonly name: string;
  readonly alias: string | undefined;
}

/** `global x` and `nonlocal x`. */
export interface Global extends Span {
  readonly kind: 'global';
  readonly scope: 'global' | 'nonlocal';
  readonly names: readonly string[];
}

/** raise, assert, del, pass, break, continue, type aliases, and whatever later Pythons add. */
export interface OtherStatement extends Span {
  readonly kind: 'otherStatement';
  /** The grammar's own name, for example `raise_statement`. */
  readonly what: string;
  readonly expressions: readonly Expression[];
  readonly body: readonly Statement[];
}

// ---- expressions

export type Expression =
  | Name
  | Attribute
  | Subscript
  | Call
  | StringLiteral
  | NumberLiteral
  | ConstantLiteral
  | Collection
  | Dictionary
  | Lambda
  | Conditional
  | BinaryOperation
  | UnaryOperation
  | Comparison
  | Comprehension
  | Starred
  | NamedExpression
  | OtherExpression;

export interface Name extends Span {
  readonly kind: 'name';
  readonly name: string;
}

export interface Attribute extends Span {
  readonly kind: 'attribute';
  readonly object: Expression;
  readonly attribute: Name;
}

export interface Subscript extends Span {
  readonly kind: 'subscript';
  readonly object: Expression;
  readonly indices: readonly Expression[];
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly callee: Expression;
  /** In source order; a sole generator argument stands here as one positional. */
  readonly arguments: readonly Argument[];
  /** From `(` to `)`, both included. */
  readonly argumentList: Span;
}

export type Argument = PositionalArgument | KeywordArgument | SplatArgument;

export interface PositionalArgument extends Span {
  readonly kind: 'positional';
  readonly value: Expression;
}

export interface KeywordArgument extends Span {
  readonly kind: 'keyword';
  readonly name: Name;
  readonly value: Expression;
}

/** `*values` or `**values`. */
export interface SplatArgument extends Span {
  readonly kind: 'splat';
  readonly of: 'positional' | 'keyword';
  readonly value: Expression;
}

export interface StringLiteral extends Span {
  readonly kind: 'string';
  /** The text it stands for; undefined where an f-string or bytes make it something else than a known text. */
  readonly value: string | undefined;
  /** Expressions inside an f-string's braces. */
  readonly interpolations: readonly Expression[];
}

export interface NumberLiteral extends Span {
  readonly kind: 'number';
  /** Undefined for complex numbers and integers a double cannot hold exactly. */
  readonly value: number | undefined;
  readonly isFloat: boolean;
}

export interface ConstantLiteral extends Span {
  readonly kind: 'constant';
  readonly value: true | false | null;
}

export interface Collection extends Span {
  readonly kind: 'list' | 'tuple' | 'set';
  readonly elements: readonly Expression[];
}

export interface Dictionary extends Span {
  readonly kind: 'dictionary';
  /** `key: value` pairs; a `**other` entry has no key. */
  readonly entries: readonly { readonly key: Expression | undefined; readonly value: Expression }[];
}

export interface Lambda extends Span {
  readonly kind: 'lambda';
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}

export interface Conditional extends Span {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

/** Arithmetic, `and` and `or`. */
export interface BinaryOperation extends Span {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

/** `-x`, `+x`, `~x`, `not x`. */
export interface UnaryOperation extends Span {
  readonly kind: 'unary';
  readonly operator: string;
  readonly operand: Expression;
}

/** `a < b <= c`: one operator fewer than operands. */
export interface Comparison extends Span {
  readonly kind: 'comparison';
  readonly operands: readonly Expression[];
  readonly operators: readonly string[];
}

export interface Comprehension extends Span {
  readonly kind: 'comprehension';
  readonly form: 'list' | 'set' | 'dictionary' | 'generator';
  /** Two for a dictionary: key and value. */
  readonly elements: readonly Expression[];
  readonly clauses: readonly {
    readonly target: Expression;
    readonly iterable: Expression;
    readonly conditions: readonly Expression[];
  }[];
}

export interface Starred extends Span {
  readonly kind: 'starred';
  readonly value: Expression;
}

/** `name := value`. */
export interface NamedExpression extends Span {
  readonly kind: 'named';
  readonly name: Name;
  readonly value: Expression;
}

/** await, yield, slices, ellipsis, type expressions, and anything not listed. */
export interface OtherExpression extends Span {
  readonly kind: 'otherExpression';
  readonly what: string;
  readonly children: readonly Expression[];
}
