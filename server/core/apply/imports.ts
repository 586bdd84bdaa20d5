import type { ImportFrom, Module, Name, Statement } from '../python/ast.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { ApplyContext } from './place.ts';
import { endOfLine, insertion, lineBreakOf } from './sourceLayout.ts';

/** Names that new code at a place needs: as the file has them already, else imported beside its other imports. */
export interface Imports {
  /** How to write a qualified name at the place; undefined where no import can go into the file. */
  nameOf(qualified: string): string | undefined;
  /** A constant of the module below its imports; the name it got, undefined where none is free. */
  constant(name: string, value: string): string | undefined;
  /** A comment below the imports, in front of the constants that follow. */
  comment(text: string): void;
  edits(): TextEdit[];
}

export function importsAt({ module, names }: ApplyContext, at: Span): Imports {
  /** What is added, by module: the names and what they are bound to. */
  const added = new Map<string, Map<string, string>>();
  const nameHere = (name: string): Name => ({ kind: 'name', name, start: at.start, end: at.start });
  const isFree = (name: string): boolean =>
    names.bindingsOf(nameHere(name)).length === 0 && names.moduleBindings(name).length === 0;
  const means = (name: string, qualified: string): boolean => {
    const { targets, complete } = names.resolve(nameHere(name));
    return complete && targets.length === 1 && targets[0]?.qualified === qualified;
  };
  const place = placeForImports(module, at);
  const constants: string[] = [];

  return {
    nameOf(qualified) {
      const [owner, name] = splitLast(qualified);
      const known = added.get(owner)?.get(name);
      if (known !== undefined) return known;
      for (const { bound, stands } of importedNames(module)) {
        if (stands === qualified && means(bound, qualified)) return bound;
        if (stands === owner && means(bound, owner)) return `${bound}.${name}`;
      }
      if (place === undefined) return undefined;
      const bound = [name, `activation_${name}`, `torch_${name}`].find(isFree);
      if (bound === undefined) return undefined;
      const ofOwner = added.get(owner) ?? new Map<string, string>();
      added.set(owner, ofOwner.set(name, bound));
      return bound;
    },
    constant(name, value) {
      const bound = isFree(name) ? name : undefined;
      if (place === undefined || bound === undefined) return undefined;
      constants.push(...`${bound} = ${value}`.split('\n'));
      return bound;
    },
    comment: (text) => {
      constants.push('', text);
    },
    edits: () => (place === undefined ? [] : importEdits(module, added, place, constants)),
  };
}

const splitLast = (qualified: string): readonly [owner: string, name: string] => {
  const dot = qualified.lastIndexOf('.');
  return [qualified.slice(0, dot), qualified.slice(dot + 1)];
};

/** Names that imports at the top bind, and what they stand for. */
function importedNames({ body }: Module): { readonly bound: string; readonly stands: string }[] {
  return body.flatMap((statement) => {
    if (statement.kind === 'importFrom' && statement.level === 0)
      return statement.names.map(({ name, alias }) => ({
        bound: alias ?? name,
        stands: `${statement.module}.${name}`,
      }));
    if (statement.kind !== 'import') return [];
    return statement.names.flatMap(({ name, alias }) => {
      const [root = name] = name.split('.');
      return [alias === undefined ? { bound: root, stands: root } : { bound: alias, stands: name }];
    });
  });
}

/**
 * Behind the file's last import of torch: what stands before that one, an environment variable for example, may have to run
 * before torch does. Else behind the imports the file begins with.
 */
function placeForImports({ body }: Module, at: Span): Statement | undefined {
  const first = body.findIndex((statement) => !isImport(statement) && !isDocumentation(statement));
  const head = first < 0 ? body : body.slice(0, first);
  return body.findLast((one) => isOfTorch(one) && one.end <= at.start) ?? head.findLast(isImport);
}

function isOfTorch(statement: Statement): boolean {
  if (statement.kind === 'importFrom') return statement.level === 0 && /^torch\b/.test(statement.module);
  return statement.kind === 'import' && statement.names.some(({ name }) => /^torch\b/.test(name));
}

const isImport = (statement: Statement): boolean => statement.kind === 'import' || statement.kind === 'importFrom';

const isDocumentation = (statement: Statement): boolean =>
  statement.kind === 'expression' && statement.value.kind === 'string';

function importEdits(
  module: Module,
  added: ReadonlyMap<string, ReadonlyMap<string, string>>,
  place: Statement,
  constants: readonly string[],
): TextEdit[] {
  const lineBreak = lineBreakOf(module.text);
  const edits: TextEdit[] = [];
  const below: string[] = [];
  const above: string[] = [];
  for (const [owner, byName] of added) {
    const written = [...byName].map(([name, bound]) => (name === bound ? name : `${name} as ${bound}`)).join(', ');
    const last = fromImport(module, owner)?.names.at(-1);
    if (last !== undefined) edits.push(insertion(last.end, `, ${written}`));
    else (standardLibrary.has(owner) ? above : below).push(`from ${owner} import ${written}`);
  }
  const first = module.body.find((statement) => isImport(statement) && !isFuture(statement)) ?? place;
  if (above.length > 0) edits.push(insertion(first.start, above.map((line) => `${line}${lineBreak}`).join('')));
  below.push(...constants);
  // The line of an import that is extended ends behind the insertion: the two never share a place.
  if (below.length > 0) {
    edits.push(insertion(endOfLine(module.text, place.end), below.map((line) => `${lineBreak}${line}`).join('')));
  }
  return edits;
}

/** What style guides put first. */
const standardLibrary: ReadonlySet<string> = new Set(['functools']);

const isFuture = (statement: Statement): boolean =>
  statement.kind === 'importFrom' && statement.module === '__future__';

/** `from owner import …`, where more names can follow. */
const fromImport = ({ body }: Module, owner: string): ImportFrom | undefined =>
  body.find(
    (one): one is ImportFrom => one.kind === 'importFrom' && one.level === 0 && one.module === owner && !one.star,
  );
