import type { ModelCandidate, ModelReading } from './modelReading.ts';
import type { Source } from './source.ts';

/** The one model a file is about, and a note about the others. Undefined where no candidate is there. */
export function chosenModel(source: Source, candidates: readonly ModelCandidate[]): ModelReading | undefined {
  const ranked = [...candidates].sort((a, b) => b.rank - a.rank);
  const [top] = ranked;
  if (top === undefined) return undefined;
  // Reading is dear only for files with very many configurations, such as test suites.
  const read = ranked.slice(0, mostRead).map((candidate) => ({ candidate, reading: candidate.read() }));
  const best = read.filter(({ candidate }) => candidate.rank === top.rank);
  const chosen =
    best.find(({ reading }) => reading.model !== undefined) ??
    read.find(({ candidate, reading }) => candidate.rank >= 1 && reading.model !== undefined) ??
    read[0];
  if (chosen === undefined) return undefined;
  const others = read.filter(
    ({ candidate, reading }) =>
      candidate.rank >= 1 && candidate.isNamed && isTelling(reading) && differs(reading, candidate, chosen),
  );
  const notes = [...chosen.reading.notes];
  if (chosen.reading.model === undefined) for (const other of others) notes.push(...other.reading.notes);
  else if (others.length > 0)
    notes.push(
      alsoHere(
        source,
        others.map(({ candidate }) => candidate),
      ),
    );
  return { ...chosen.reading, notes: [...new Set(notes)] };
}

const mostRead = 24;

/** A model, or one that is known to have no account; not a name that leads nowhere. */
const isTelling = ({ model, notes }: ModelReading): boolean =>
  model !== undefined || notes.some((note) => note.includes('no PyTorch account'));

function differs(
  reading: ModelReading,
  candidate: ModelCandidate,
  chosen: { readonly candidate: ModelCandidate; readonly reading: ModelReading },
): boolean {
  if (candidate === chosen.candidate) return false;
  return candidate.name !== chosen.candidate.name || sizesOf(reading) !== sizesOf(chosen.reading);
}

const sizesOf = ({ model }: ModelReading): string =>
  JSON.stringify(model && [model.layers.value, model.hidden.value, model.heads.value, model.feedForward.value]);

function alsoHere(source: Source, others: readonly ModelCandidate[]): string {
  const shown = others.slice(0, 3).map(({ name, span }) => `${name} on line ${source.lineOf(span)}`);
  const rest = others.length - shown.length;
  return `also in this file: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
