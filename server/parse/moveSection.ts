import type { Span } from '../core/text/span.ts';
import type { Unit } from './lowerStatements.ts';
import type { ReadSection } from './moduleOfSections.ts';
import type { Piece } from './moduleOfTree.ts';

/**
 * Moves everything in a section by `delta`: what unchanged code does when text is typed above it. It is moved in place, so
 * that its statements stay the same objects, and what was found out about them before still holds.
 */
export function moveSection(section: ReadSection, delta: number): void {
  move(section, delta);
  if (section.ownClass !== undefined) section.ownClass.origin.offset += delta;
  for (const piece of section.pieces) movePiece(piece, delta);
}

export function movePiece(piece: Piece, delta: number): void {
  move(piece, delta);
  for (const unit of piece.units) moveUnit(unit, delta);
}

export function moveUnit(unit: Unit, delta: number): void {
  move(unit, delta);
  unit.lowered.origin.offset += delta;
  for (const inner of unit.lowered.inner) moveUnit(inner, delta);
}

function move(place: Movable, delta: number): void {
  place.start += delta;
  place.end += delta;
}

type Movable = { -readonly [Edge in keyof Span]: Span[Edge] };
