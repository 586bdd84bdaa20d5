import type { Fact, Origin, Place } from '../server/core/facts/facts.ts';

/** Where a value comes from, in a mark short enough for a narrow column and a sentence for its tooltip. */
export interface OriginMark {
  readonly mark: string;
  readonly sentence: string;
  readonly place: Place | undefined;
}

/** `shownUri` is the document that the panel is about: places in it need no file name. */
export function originMark<T>(fact: Fact<T>, shownUri: string): OriginMark {
  const { origin } = fact;
  const place = placeOf(origin);
  const line = place && lineMark(place, shownUri);
  switch (origin.kind) {
    case 'literal':
      return { mark: line ?? 'code', sentence: `Written in ${spoken(origin.place)}`, place };
    case 'registry':
      return {
        mark: line ?? 'known',
        sentence: `Known for ${origin.model}${place ? `, named in ${spoken(place)}` : ''}`,
        place,
      };
    case 'default':
      return { mark: 'default', sentence: `Not written here; default of ${origin.what} (${origin.library})`, place };
    case 'derived':
      return {
        mark: line ?? 'derived',
        sentence: `Computed: ${origin.from}${place ? `, from ${spoken(place)}` : ''}`,
        place,
      };
    case 'assumed':
      return { mark: 'assumed', sentence: `Assumed: ${origin.why}`, place };
    case 'chosen':
      return { mark: 'what-if', sentence: `Chosen in ${origin.by}; the code says something else`, place };
  }
}

const placeOf = (origin: Origin): Place | undefined => ('place' in origin ? origin.place : undefined);

const lineMark = (place: Place, shownUri: string): string => {
  if (isCell(place.path)) return `cell line ${place.line}`;
  return place.path === shownUri ? `line ${place.line}` : `${fileName(place.path)}:${place.line}`;
};

const spoken = (place: Place): string =>
  isCell(place.path) ? `a cell, line ${place.line}` : `${fileName(place.path)}, line ${place.line}`;

/** The name of a notebook's cell says nothing to a person. */
const isCell = (path: string): boolean => path.startsWith('vscode-notebook-cell:');

/** Last part of a URI or path, readable. */
export function fileName(path: string): string {
  const last = path.split(/[\\/]/).at(-1) ?? path;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
