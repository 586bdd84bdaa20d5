import { oncePer } from '../python/oncePer.ts';
import { sectionsOf } from '../python/sections.ts';
import type { Span } from '../text/span.ts';

/**
 * The sections of a module's text, with what tells without parsing which names of the module each may bind. Files that names
 * lead to are large and asked for a name or two; since sections are read by themselves, the others need not be.
 */
export interface Section extends Span {
  /** The function or class it begins with. */
  readonly defines: { readonly kind: 'function' | 'class'; readonly name: string } | undefined;
  /** The code of that, and what else is bound in the module; both without comments and what is in strings. */
  readonly body: string;
  readonly rest: string;
  readonly hasStarImport: boolean;
}

export const sectionsIn: (file: { readonly text: string }) => readonly Section[] = oncePer(({ text }) =>
  sectionsOf(text).map((place) => sectionAt(place, text)),
);

/** Where the bindings that a name may have in the module are, as numbers of sections. */
export function sectionsBinding(name: string, sections: readonly Section[]): readonly number[] {
  return sections.flatMap(({ defines, rest, hasStarImport }, index) =>
    defines?.name === name || hasStarImport || rest.includes(name) ? [index] : [],
  );
}

function sectionAt(place: Span, text: string): Section {
  const code = text.slice(place.start, place.end).replace(noCode, (one) => (one.includes(':=') ? one : '""'));
  const hasStarImport = starImport.test(code);
  const groups = definition.exec(code)?.groups;
  const name = groups?.name;
  if (name === undefined || bindsFromInside.test(code))
    return { ...place, defines: undefined, body: '', rest: code, hasStarImport };
  const first = code.indexOf(groups?.first ?? '');
  const behind = code.slice(first).search(nextStatement);
  const end = behind < 0 ? code.length : first + behind;
  const kind = groups?.keyword === 'class' ? 'class' : 'function';
  return { ...place, defines: { kind, name }, body: code.slice(0, end), rest: code.slice(end), hasStarImport };
}

/** Comments and strings; one in which a name may be bound is left. */
const noCode =
  /#.*|"""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:""")?|'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:''')?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/g;
/** Decorators, and the line a definition begins on. */
const definition = /^(?:@[\s\S]*?\n)?(?<first>(?:async[ \t]+)?(?<keyword>def|class)[ \t]+(?<name>\w+)(?=[\s([:]))/;
/** What binds a name of the module from within a function or class; a form feed may hide where a line begins. */
const bindsFromInside = /\bglobal\b|:=|\f/;
/** A line at the module's top that does not end what is in brackets. */
const nextStatement = /[\r\n](?=[^\s#)\]}])/;
const starImport = /\bimport[ \t]*\(?[ \t]*\*/;
