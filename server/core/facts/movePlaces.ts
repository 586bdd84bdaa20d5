import type { Place, RunFacts } from './facts.ts';

/** The same facts with every place told by `move`, which a text that was put together from others needs. */
export function movePlaces(facts: RunFacts, move: (place: Place) => Place): RunFacts {
  return moved(facts) as RunFacts;

  // Facts are plain data without cycles; a place is the one shape in them that has both a path and a span.
  function moved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    if ('path' in value && 'span' in value) return move(value as Place);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one)]));
  }
}
