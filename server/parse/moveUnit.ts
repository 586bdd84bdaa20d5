import type { Span } from '../core/text/span.ts';
import type { LoweredUnit } from './lowerStatements.ts';

/**
 * Moves everything in a unit by `delta`: what unchanged code does when text is typed above it. It is moved in place, so that
 * its statements stay the same objects, and what was found out about them before still holds.
 */
export function moveUnit(unit: LoweredUnit, delta: number): void {
  let places = placesIn.get(unit);
  if (places === undefined) {
    places = collectPlaces(unit);
    placesIn.set(unit, places);
  }
  for (const place of places) {
    place.start += delta;
    place.end += delta;
  }
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
