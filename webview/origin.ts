import type { Fact, Origin, Place } from '../server/core/facts/facts.ts';
import { t } from './l10n.ts';

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
      return { mark: line ?? t('code'), sentence: t('Written in {0}', spoken(origin.place)), place };
    case 'registry':
      return {
        mark: line ?? t('known'),
        sentence: place
          ? t('Known for {0}, named in {1}', origin.model, spoken(place))
          : t('Known for {0}', origin.model),
        place,
      };
    case 'default':
      return {
        mark: t('default'),
        sentence: t('Not written here; default of {0} ({1})', origin.what, origin.library),
        place,
      };
    case 'derived':
      return {
        mark: line ?? t('derived'),
        sentence: place ? t('Computed: {0}, from {1}', origin.from, spoken(place)) : t('Computed: {0}', origin.from),
        place,
      };
    case 'assumed':
      return { mark: t('assumed'), sentence: t('Assumed: {0}', origin.why), place };
    case 'chosen':
      return { mark: t('what-if'), sentence: t('Chosen in {0}; the code says something else', origin.by), place };
  }
}

const placeOf = (origin: Origin): Place | undefined => ('place' in origin ? origin.place : undefined);

const lineMark = (place: Place, shownUri: string): string => {
  if (isCell(place.path)) return t('cell line {0}', place.line);
  return place.path === shownUri ? t('line {0}', place.line) : `${fileName(place.path)}:${place.line}`;
};

const spoken = (place: Place): string =>
  isCell(place.path) ? t('a cell, line {0}', place.line) : t('{0}, line {1}', fileName(place.path), place.line);

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
