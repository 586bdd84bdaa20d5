import type { Span } from '../core/text/span.ts';
import type { LoweredUnit } from './lowerStatements.ts';
import type { ReadSection } from './moduleOfSections.ts';
import type { Piece, Unit } from './moduleOfTree.ts';

/**
 * Moves everything in a section by `delta`: what unchanged code does when text is typed above it. It is moved in place, so
 * that its statements stay the same objects, and what was found out about them before still holds.
 */
export function moveSection(section: ReadSection, delta: number): void {
  move(section, delta);
  if (section.ownClass !== undefined) move(section.ownClass, delta);
  for (const piece of section.pieces) movePiece(piece, delta);
}

export function movePiece(piece: Piece, delta: number): void {
  move(piece, delta);
  for (const unit of piece.units) moveUnit(unit, delta);
}

export function moveUnit(unit: Unit, delta: number): void {
  move(unit, delta);
  let places = placesIn.get(unit.lowered);
  if (places === undefined) {
    places = collectPlaces(unit.lowered);
    placesIn.set(unit.lowered, places);
  }
  for (const place of places) move(place, delta);
}

function move(place: Movable, delta: number): void {
  place.start += delta;
  place.end += delta;
}

type Movable = { -readonly [Edge in keyof Span]: Span[Edge] };

const placesIn = new WeakMap<LoweredUnit, readonly Movable[]>();

function collectPlaces(unit: LoweredUnit): readonly Movable[] {
  const places = new Set<Movable>();
  const stack: unknown[] = [unit];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (isMovable(value)) places.add(value);
    for (const part of Object.values(value as object)) if (typeof part === 'object' && part !== null) stack.push(part);
  }
  return [...places];
}

const isMovable = (value: unknown): value is Movable =>
  typeof value === 'object' && value !== null && 'start' in value && 'end' in value;
