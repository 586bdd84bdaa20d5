import type { ClassDefinition, Comment, Module, Statement } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { type ClassParts, classParts, type PartsBefore } from './members.ts';
import type { Piece, Stretch } from './moduleOfTree.ts';
import { type Origin, placed } from './placed.ts';

/** A section of a text with what it became. */
export interface ReadSection extends Span {
  readonly pieces: readonly Piece[];
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
  readonly unreliable: readonly Span[];
  /** How the class it begins with is cut, where it is long. */
  readonly parts: ClassParts | undefined;
  /** Put together from pieces, where the section begins with a class that is cut. */
  readonly ownClass: (ClassDefinition & { readonly origin: Origin }) | undefined;
}

/**
 * Reads a section of a text, piece by piece where it begins with a long class; `read` parses one of them. `before` is how that
 * class was cut before a change in it.
 */
export function readSection(
  place: Span,
  text: string,
  read: (stretch: Stretch) => Piece,
  before?: PartsBefore,
): ReadSection {
  const parts = classParts(text.slice(place.start, place.end), before);
  if (parts !== undefined) {
    const { indent } = parts;
    const { headEnd, members, tail } = placesOf(parts, place);
    const head = read({ start: place.start, end: headEnd, role: 'head', indent });
    const start = headOf(head);
    if (start !== undefined) {
      const inside = members.map((member) => read({ ...member, role: 'member', indent }));
      // What half-written code is, nobody knows; but a sound member that reaches out of the class was none.
      if (inside.every(({ fits, isModule, units }) => fits || !isModule || units.some(({ sound }) => !sound))) {
        const behind = tail < place.end ? [read({ start: tail, end: place.end, role: 'whole', indent: '' })] : [];
        return { ...together(place, head, start, inside, behind), parts };
      }
    }
  }
  const whole = read({ ...place, role: 'whole', indent: '' });
  const contents = contentsOf([whole]);
  return { ...place, pieces: [whole], ...contents, unreliable: unreliableIn(whole), parts, ownClass: undefined };
}

interface PlacesOfParts {
  /** Where the class's own head ends, which begins with its decorators. */
  readonly headEnd: number;
  readonly members: readonly Span[];
  readonly tail: number;
}

function placesOf({ cuts, tail }: ClassParts, { start }: Span): PlacesOfParts {
  const members = cuts.map((cut, index) => ({ start: start + cut, end: start + (cuts[index + 1] ?? tail) }));
  return { headEnd: start + (cuts[0] ?? 0), members, tail: start + tail };
}

/** Puts a module together from the sections of its text. */
export const moduleOf = (text: string, sections: readonly ReadSection[]): Module => ({
  text,
  body: sections.flatMap(({ statements }) => statements),
  comments: sections.flatMap(({ comments }) => comments),
  unreliable: sections.flatMap(({ unreliable }) => unreliable),
});

function unreliableIn(piece: Piece): readonly Span[] {
  const { isModule, fits, role, unreliable } = piece;
  const isWhatItSeems = role === 'member' ? fits : isModule;
  return isWhatItSeems ? unreliable : [piece];
}

/** The class as its head alone has it; undefined where the head is broken or something else than a head. */
function headOf({ fits, units, end }: Piece): ClassDefinition | undefined {
  const [only, ...more] = units.filter(({ lowered }) => lowered.statements.length > 0);
  const [statement] = only?.lowered.statements ?? [];
  if (!fits || only?.sound !== true || more.length > 0 || statement?.kind !== 'class') return undefined;
  if (units.some(({ sound }) => !sound)) return undefined;
  const last = statement.body.at(-1);
  return last !== undefined && last.start >= end ? statement : undefined;
}

function together(
  place: Span,
  head: Piece,
  begun: ClassDefinition,
  members: readonly Piece[],
  behind: readonly Piece[],
): Omit<ReadSection, 'parts'> {
  const inside = contentsOf(members);
  const body = [...begun.body.slice(0, -1), ...inside.statements];
  const last = members.at(-1);
  const end = last?.fits === true ? last.start + last.length : (body.at(-1)?.end ?? head.end);
  const { kind, name, bases, keywords, decorators, start } = begun;
  const own = { name, bases, keywords, decorators, body };
  const origin = { offset: 0 };
  const ownClass = placed({ kind, ...own, origin, from: start, to: end });
  const after = contentsOf(behind);
  const pieces = [head, ...members, ...behind];
  return {
    ...place,
    pieces,
    unreliable: pieces.flatMap(unreliableIn),
    statements: [ownClass, ...after.statements],
    comments: [...contentsOf([head]).comments, ...inside.comments, ...after.comments],
    ownClass,
  };
}

const contentsOf = (pieces: readonly Piece[]): Pick<ReadSection, 'statements' | 'comments'> => ({
  statements: pieces.flatMap(({ statements }) => statements),
  comments: pieces.flatMap(({ comments }) => comments),
});
