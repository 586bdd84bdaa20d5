import type { Origin, Place } from '../facts/facts.ts';

/** Where a value comes from, in words for one table cell. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'literal':
      return placeText(origin.place);
    case 'registry':
      return origin.place === undefined
        ? `registry: ${origin.model}`
        : `registry: ${origin.model} (${placeText(origin.place)})`;
    case 'default':
      return `default: ${origin.library} ${origin.what}`;
    case 'derived':
      return origin.place === undefined ? origin.from : `${origin.from} (${placeText(origin.place)})`;
    case 'assumed':
      return `assumed: ${origin.why}`;
    case 'chosen':
      return origin.by;
  }
}

/** Undefined where no file says the value. */
export const placeOfOrigin = (origin: Origin): Place | undefined => ('place' in origin ? origin.place : undefined);

const placeText = ({ path, line }: Place): string => `${path}:${line}`;
