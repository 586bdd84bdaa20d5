import type {
  Comment,
  Expression,
  FunctionDefinition,
  ImportedName,
  KeywordArgument,
  Name,
  Statement,
} from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { child, ExpressionLowering, fieldAll, isCode, kept, named } from './lowerExpressions.ts';
import { type Origin, placed } from './placed.ts';
import { longBlock, type Syntax } from './syntax.ts';

/** What one node at the top of a module becomes: a statement, a comment, or nothing but unreliable ground. */
export interface LoweredUnit {
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
  readonly unreliable: readonly Span[];
  /** Moves all of them together, but for what is in `inner`. */
  readonly origin: Origin;
  /** The statements of long blocks in it, in source order; each has its own `inner`. */
  readonly inner: readonly Unit[];
}

/** A statement or comment, with what it became. */
export interface Unit extends Span {
  /** The grammar's kind of node. */
  readonly type: string;
  /** Nothing in it is an error, and it stands in a module, not in the remains of one. */
  readonly sound: boolean;
  readonly lowered: LoweredUnit;
}

/**
 * Turns a node at the top of a module into the typed tree that everything else reads. Total: broken code too. `textEnd` is
 * where the stretch ends that was parsed with it.
 */
export function lowerUnit(node: Syntax, text: string, textEnd: number): LoweredUnit {
  const lowered = lowerAtDepth(node, text, 0);
  const unclosed = unclosedText(node, text, textEnd, lowered.origin);
  return unclosed.length === 0 ? lowered : { ...lowered, unreliable: [...lowered.unreliable, ...unclosed] };
}

/** `depth`: in how many blocks it stands within its unit outside all others. */
function lowerAtDepth(node: Syntax, text: string, depth: number): LoweredUnit {
  const origin = { offset: 0 };
  const lowering = new StatementLowering(text, origin, depth);
  const statements = lowering.statements([node]);
  return { statements, unreliable: kept(lowering.unreliable), origin, ...restOf(node, text, origin) };
}

/** A triple-quoted string without an end takes in the rest of the file, although the parser goes on behind its opening. */
function unclosedText(unit: Syntax, text: string, textEnd: number, origin: Origin): Span[] {
  const stack: Syntax[] = unit.broken ? [unit] : [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const opening = node.type === 'ERROR' ? node.children.find((part) => part.type === 'string_start') : undefined;
    if (opening !== undefined && /["']{3}$/.test(text.slice(opening.start, opening.end))) {
      return [placed({ origin, from: opening.start, to: textEnd })];
    }
    for (const part of node.children) if (part.broken) stack.push(part);
  }
  return [];
}

/** Nested `def`, `class`, `if` … deeper than this are left out; no person writes them. */
const deepest = 100;

class StatementLowering {
  readonly unreliable: Span[] = [];
  readonly origin: Origin;
  readonly #text: string;
  readonly #expressions: ExpressionLowering;
  #depth: number;

  constructor(text: string, origin: Origin, depth: number) {
    this.origin = origin;
    this.#text = text;
    this.#expressions = new ExpressionLowering(text, origin);
    this.#depth = depth;
  }

  block(node: Syntax | undefined): Statement[] {
    if (node === undefined) return [];
    if (this.#depth >= deepest) {
      this.unreliable.push(placed({ origin: this.origin, from: node.start, to: node.end }));
      return [];
    }
    this.#depth++;
    const isLong = node.end - node.start >= longBlock;
    const statements = isLong ? this.#units(node.children) : this.statements(named(node));
    this.#depth--;
    return statements;
  }

  #units(nodes: readonly Syntax[]): Statement[] {
    const statements: Statement[] = [];
    for (const part of nodes) {
      if (!isCode(part)) continue;
      part.lowered ??= lowerAtDepth(part, this.#text, this.#depth);
      statements.push(...part.lowered.statements);
      this.unreliable.push(...part.lowered.unreliable);
    }
    return kept(statements);
  }

  statements(nodes: readonly Syntax[]): Statement[] {
    const statements: Statement[] = [];
    for (const part of nodes) {
      if (part.broken && isBrokenItself(part))
        this.unreliable.push(placed({ origin: this.origin, from: part.start, to: part.end }));
      const statement = isCode(part) ? this.#statement(part, []) : undefined;
      if (statement !== undefined) statements.push(statement);
    }
    return kept(statements);
  }

  #statement(node: Syntax, decorators: readonly Expression[]): Statement | undefined {
    const { start, end } = node;
    const { origin } = this;
    const expressions = this.#expressions;
    switch (node.type) {
      case 'expression_statement':
        return this.#expressionStatement(node);
      case 'decorated_definition': {
        const definition = child(node, 'definition');
        if (definition === undefined) return undefined;
        const given = named(node)
          .filter((part) => part.type === 'decorator')
          .flatMap((part) => named(part).map((expression) => expressions.expression(expression)));
        return this.#statement({ ...definition, start }, given);
      }
      case 'function_definition':
        return this.#function(node, decorators);
      case 'class_definition': {
        const name = child(node, 'name');
        if (name === undefined) return undefined;
        const list = child(node, 'superclasses');
        const given = list === undefined ? [] : expressions.arguments(list);
        return placed({
          kind: 'class',
          name: expressions.name(name),
          bases: given.filter((argument) => argument.kind === 'positional').map((argument) => argument.value),
          keywords: given.filter((argument): argument is KeywordArgument => argument.kind === 'keyword'),
          decorators,
          body: this.block(child(node, 'body')),
          origin,
          from: start,
          to: end,
        });
      }
      case 'return_statement':
        return placed({ kind: 'return', value: expressions.optional(named(node)[0]), origin, from: start, to: end });
      case 'if_statement':
        return this.#if(node);
      case 'for_statement': {
        const target = child(node, 'left');
        const iterable = child(node, 'right');
        if (target === undefined || iterable === undefined) return undefined;
        return placed({
          kind: 'for',
          target: expressions.expression(target),
          iterable: expressions.expression(iterable),
          body: this.block(child(node, 'body')),
          orElse: this.#elseBody(node),
          origin,
          from: start,
          to: end,
        });
      }
      case 'while_statement': {
        const test = child(node, 'condition');
        if (test === undefined) return undefined;
        return placed({
          kind: 'while',
          test: expressions.expression(test),
          body: this.block(child(node, 'body')),
          orElse: this.#elseBody(node),
          origin,
          from: start,
          to: end,
        });
      }
      case 'with_statement':
        return placed({
          kind: 'with',
          items: this.#withItems(node),
          body: this.block(child(node, 'body')),
          origin,
          from: start,
          to: end,
        });
      case 'try_statement':
        return this.#try(node);
      case 'match_statement':
        return this.#match(node);
      case 'import_statement':
        return placed({
          kind: 'import',
          names: fieldAll(node, 'name').flatMap((part) => this.#importedName(part)),
          origin,
          from: start,
          to: end,
        });
      case 'import_from_statement':
        return this.#importFrom(node);
      case 'future_import_statement':
        return placed({
          kind: 'importFrom',
          module: '__future__',
          level: 0,
          star: false,
          names: [],
          origin,
          from: start,
          to: end,
        });
      case 'global_statement':
      case 'nonlocal_statement': {
        const scope = node.type === 'global_statement' ? 'global' : 'nonlocal';
        return placed({
          kind: 'global',
          scope,
          names: named(node).map((part) => expressions.textOf(part)),
          origin,
          from: start,
          to: end,
        });
      }
      default:
        return this.#otherStatement(node);
    }
  }

  #expressionStatement(node: Syntax): Statement | undefined {
    const { start, end } = node;
    const { origin } = this;
    const expressions = this.#expressions;
    const [first, ...more] = named(node);
    if (first === undefined) return undefined;
    if (more.length > 0) {
      const elements = [first, ...more].map((part) => expressions.expression(part));
      return placed({
        kind: 'expression',
        value: placed({ kind: 'tuple', elements, origin, from: start, to: end }),
        origin,
        from: start,
        to: end,
      });
    }
    if (first.type === 'assignment') return this.#assignment(first);
    if (first.type === 'augmented_assignment') {
      const target = child(first, 'left');
      const value = child(first, 'right');
      if (target === undefined || value === undefined) return undefined;
      const operator = child(first, 'operator')?.type ?? '?';
      return placed({
        kind: 'augmentedAssign',
        target: expressions.expression(target),
        operator,
        value: expressions.expression(value),
        origin,
        from: start,
        to: end,
      });
    }
    return placed({ kind: 'expression', value: expressions.expression(first), origin, from: start, to: end });
  }

  /** The grammar nests `a = b = value` to the right; the tree keeps all targets side by side. */
  #assignment(node: Syntax): Statement {
    const targets: Expression[] = [];
    let annotation: Expression | undefined;
    let current: Syntax | undefined = node;
    while (current?.type === 'assignment') {
      const target = child(current, 'left');
      if (target !== undefined) targets.push(this.#expressions.expression(target));
      annotation ??= this.#expressions.optional(child(current, 'type'));
      current = child(current, 'right');
    }
    return placed({
      kind: 'assign',
      targets: kept(targets),
      annotation,
      value: this.#expressions.optional(current),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #function(node: Syntax, decorators: readonly Expression[]): FunctionDefinition | undefined {
    const name = child(node, 'name');
    if (name === undefined) return undefined;
    return placed({
      kind: 'function',
      name: this.#expressions.name(name),
      parameters: this.#expressions.parameters(child(node, 'parameters')),
      returns: this.#expressions.optional(child(node, 'return_type')),
      decorators,
      isAsync: node.children.some((part) => part.type === 'async'),
      body: this.block(child(node, 'body')),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #if(node: Syntax): Statement | undefined {
    const branches: { test: Expression; body: Statement[] }[] = [];
    const test = child(node, 'condition');
    if (test === undefined) return undefined;
    branches.push({ test: this.#expressions.expression(test), body: this.block(child(node, 'consequence')) });
    let orElse: Statement[] = [];
    for (const part of fieldAll(node, 'alternative')) {
      const condition = child(part, 'condition');
      if (part.type === 'elif_clause' && condition !== undefined) {
        branches.push({ test: this.#expressions.expression(condition), body: this.block(child(part, 'consequence')) });
      } else {
        orElse = this.block(child(part, 'body'));
      }
    }
    return placed({ kind: 'if', branches, orElse, origin: this.origin, from: node.start, to: node.end });
  }

  #elseBody(node: Syntax): Statement[] {
    const clause = child(node, 'alternative');
    return clause === undefined ? [] : this.block(child(clause, 'body'));
  }

  #withItems(node: Syntax): { value: Expression; target: Expression | undefined }[] {
    const clause = node.children.find((part) => part.type === 'with_clause');
    const items =
      clause === undefined ? [] : named(clause).flatMap((part) => (part.type === 'with_item' ? [part] : named(part)));
    return items.flatMap((item) => {
      const value = item.type === 'with_item' ? child(item, 'value') : item;
      if (value === undefined) return [];
      if (value.type !== 'as_pattern') return [{ value: this.#expressions.expression(value), target: undefined }];
      const [context] = named(value);
      const target = child(value, 'alias');
      if (context === undefined) return [];
      return [{ value: this.#expressions.expression(context), target: this.#expressions.optional(target) }];
    });
  }

  #try(node: Syntax): Statement {
    const clause = (type: string): Syntax | undefined => node.children.find((part) => part.type === type);
    const elseClause = clause('else_clause');
    const finallyClause = clause('finally_clause');
    const handlers = node.children
      .filter((part) => part.type === 'except_clause' || part.type === 'except_group_clause')
      .map((part) => this.#handler(part));
    return placed({
      kind: 'try',
      body: this.block(child(node, 'body')),
      handlers,
      orElse: elseClause === undefined ? [] : this.block(child(elseClause, 'body')),
      finallyBody:
        finallyClause === undefined ? [] : this.block(named(finallyClause).find((part) => part.type === 'block')),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #handler(clause: Syntax): { type: Expression | undefined; name: Name | undefined; body: Statement[] } {
    const parts = named(clause);
    const body = this.block(parts.find((part) => part.type === 'block'));
    const caught = parts.find((part) => part.type !== 'block');
    if (caught?.type === 'as_pattern') {
      const alias = child(caught, 'alias');
      const name = alias === undefined ? undefined : named(alias)[0];
      const type = this.#expressions.optional(named(caught)[0]);
      return { type, name: name?.type === 'identifier' ? this.#expressions.name(name) : undefined, body };
    }
    const alias = child(clause, 'alias');
    const name = alias?.type === 'identifier' ? this.#expressions.name(alias) : undefined;
    return { type: this.#expressions.optional(caught), name, body };
  }

  #match(node: Syntax): Statement | undefined {
    const subject = child(node, 'subject');
    if (subject === undefined) return undefined;
    const body = child(node, 'body');
    const clauses = (body === undefined ? [] : named(body)).filter((part) => part.type === 'case_clause');
    return placed({
      kind: 'match',
      subject: this.#expressions.expression(subject),
      cases: clauses.map((clause) => {
        const guard = child(clause, 'guard');
        return {
          captures: named(clause)
            .filter((part) => part.type === 'case_pattern')
            .flatMap((part) => this.#captures(part)),
          guard: guard === undefined ? undefined : this.#expressions.optional(named(guard)[0]),
          body: this.block(child(clause, 'consequence')),
        };
      }),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }

  #captures(pattern: Syntax): Name[] {
    if (pattern.type === 'identifier') return [this.#expressions.name(pattern)];
    return named(pattern).flatMap((part) => this.#captures(part));
  }

  #importFrom(node: Syntax): Statement {
    const { start, end } = node;
    const { origin } = this;
    const source = child(node, 'module_name');
    const prefix = source?.children.find((part) => part.type === 'import_prefix');
    const dotted =
      source?.type === 'relative_import' ? named(source).find((part) => part.type === 'dotted_name') : source;
    return placed({
      kind: 'importFrom',
      module: dotted === undefined ? '' : this.#expressions.textOf(dotted).replace(/\s/g, ''),
      level: prefix === undefined ? 0 : this.#expressions.textOf(prefix).replace(/[^.]/g, '').length,
      star: node.children.some((part) => part.type === 'wildcard_import'),
      names: fieldAll(node, 'name').flatMap((part) => this.#importedName(part)),
      origin,
      from: start,
      to: end,
    });
  }

  #importedName(node: Syntax): ImportedName[] {
    const name = node.type === 'aliased_import' ? child(node, 'name') : node;
    const alias = node.type === 'aliased_import' ? child(node, 'alias') : undefined;
    if (name === undefined) return [];
    const text = this.#expressions.textOf(name).replace(/\s/g, '');
    return [
      placed({
        name: text,
        alias: alias === undefined ? undefined : this.#expressions.textOf(alias),
        origin: this.origin,
        from: node.start,
        to: node.end,
      }),
    ];
  }

  #otherStatement(node: Syntax): Statement {
    const parts = named(node);
    return placed({
      kind: 'otherStatement',
      what: node.type,
      expressions: parts.filter((part) => part.type !== 'block').map((part) => this.#expressions.expression(part)),
      body: parts.filter((part) => part.type === 'block').flatMap((part) => this.block(part)),
      origin: this.origin,
      from: node.start,
      to: node.end,
    });
  }
}

/** An error inside a nested block belongs to a statement of that block, not to the statement around the block. */
function isBrokenItself(statement: Syntax): boolean {
  const stack: Syntax[] = [statement];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'ERROR' || node.children.length === 0) return true;
    for (const part of node.children) if (part.broken && part.type !== 'block') stack.push(part);
  }
  return false;
}

/** Comments and statements that are units of their own, wherever they stand; without recursion. */
function restOf(root: Syntax, text: string, origin: Origin): Pick<LoweredUnit, 'comments' | 'inner'> {
  const comments: Comment[] = [];
  const inner: Unit[] = [];
  const stack: Syntax[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { start, end, type, lowered } = node;
    if (node !== root && lowered !== undefined) {
      comments.push(...lowered.comments);
      // What is too deep is left out, and need not be too deep in another version.
      const sound = !node.broken && lowered.unreliable.length === 0;
      inner.push({ start, end, type, sound, lowered });
      continue;
    }
    if (type === 'comment') comments.push(placed({ text: text.slice(start, end), origin, from: start, to: end }));
    for (const part of node.children) if (part.named) stack.push(part);
  }
  const inOrder = (a: Span, b: Span): number => a.start - b.start;
  return { comments: kept(comments.sort(inOrder)), inner: kept(inner.sort(inOrder)) };
}
