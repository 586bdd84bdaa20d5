import { chosenModel } from './chosenModel.ts';
import { modelCandidates } from './modelCandidates.ts';
import type { ModelReading } from './modelReading.ts';
import { lastName, type Source } from './source.ts';
import { isAside } from './standing.ts';

/**
 * The model that a function of another file makes for this one: `model, tokenizer = load_model(args)`. What it is given is
 * read here, the rest there. Undefined where no such function is called, or none says which model it makes.
 */
export function modelMadeElsewhere(source: Source): ModelReading | undefined {
  for (const here of source.calls) {
    if (here.definition !== undefined || !/model/i.test(lastName(here.call.callee)) || isAside(source, here)) continue;
    const outside = source.outside(here.call.callee);
    if (outside === undefined || !('definition' in outside) || outside.definition.kind !== 'function') continue;
    const { source: there, definition } = outside;
    there.calledFrom(definition, source, here.call);
    const inside = modelCandidates(there).filter(
      ({ span }) => span.start >= definition.start && span.end <= definition.end,
    );
    const reading = chosenModel(there, inside);
    if (reading?.model === undefined && reading?.named === undefined) continue;
    const file = there.placeOf(definition).path.split('/').at(-1);
    return { ...reading, notes: reading.notes.map((note) => (/\bline \d/.test(note) ? `${note} (in ${file})` : note)) };
  }
  return undefined;
}
