import { callIndex } from '../python/calls.ts';
import { enclosing } from '../python/enclosing.ts';
import { checkpointSites } from '../sites/checkpointSite.ts';
import type { TextEdit } from '../text/edit.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps, type Span } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import type { ChosenStrategy } from './chosen.ts';
import { enablePlaces } from './enablePlaces.ts';
import { loopPlaces } from './loopPlaces.ts';
import type { ApplyContext, ApplyPlace, Change } from './place.ts';
import { segmentedPlaces } from './segmentedLoop.ts';
import { sequentialPlaces } from './sequentialCode.ts';
import { trainerPlaces } from './trainerPlaces.ts';
import { wrapperPlaces } from './wrapperPlaces.ts';

/** What it takes to make a text say a strategy. */
export type Application =
  | { readonly kind: 'edits'; readonly what: string; readonly at: Span; readonly edits: readonly TextEdit[] }
  /** The text says so as it stands; `what` is where, undefined where nothing needs to be said. */
  | { readonly kind: 'already'; readonly what: string | undefined }
  | { readonly kind: 'cannot'; readonly why: string };

export interface ApplyAround {
  readonly workspace: Workspace | undefined;
  readonly versions: Versions;
  /** Layers of the model, where they are known. */
  readonly layers: number | undefined;
}

/** Places of a Python file that switch checkpointing on, or could, the most specific kind first. */
export function applyPlaces(file: SourceFile, around: ApplyAround): ApplyPlace[] {
  const { module, names } = file;
  const calls = callIndex(module, names);
  let lines: LineIndex | undefined;
  const context: ApplyContext = {
    file,
    module,
    names,
    calls,
    sites: checkpointSites(file, calls),
    ...around,
    lineOf({ start }) {
      lines ??= new LineIndex(module.text);
      return lines.lineAt(start) + 1;
    },
    around: ({ start }) => enclosing(module, start),
  };
  const finders = [trainerPlaces, segmentedPlaces, loopPlaces, sequentialPlaces, enablePlaces, wrapperPlaces];
  const places = finders.flatMap((find) => find(context));
  return places.filter(({ at }) => !module.unreliable.some((span) => overlaps(span, at)));
}

/**
 * Puts a strategy into a file: where the file checkpoints already, there; else at the first place that can say it. Nothing
 * is changed where it is not certain what decides.
 */
export function applyStrategy(places: readonly ApplyPlace[], chosen: ChosenStrategy): Application {
  const on = places.filter(({ isOn }) => isOn);
  if (chosen.name === 'none') return switchedOff(on, chosen);
  const [only, another] = on;
  if (only !== undefined && another !== undefined)
    return {
      kind: 'cannot',
      why: `${only.what} and ${another.what} both switch checkpointing on; one of them has to go first`,
    };
  if (only !== undefined) return applied(only, chosen);
  const tried = places.map((place) => ({ place, application: applied(place, chosen) }));
  const possible = tried.filter(({ application }) => application.kind === 'edits');
  const [first, second] = possible;
  // Arguments come before loops; two loops are one too many to know which is meant.
  if (first !== undefined && second !== undefined && first.place.form === second.place.form) {
    const where = `${first.place.what} and ${second.place.what}`;
    return { kind: 'cannot', why: `${where} could both be meant; the light bulb at the right one offers the same` };
  }
  return (
    (first ?? tried[0])?.application ?? {
      kind: 'cannot',
      why: 'this file has no trainer’s arguments, loaded model or loop over layers that is recognised for certain',
    }
  );
}

export function applied(place: ApplyPlace, chosen: ChosenStrategy): Application {
  const { what, at } = place;
  const changed: Change = place.put(chosen);
  if ('why' in changed) return { kind: 'cannot', why: changed.why };
  return changed.edits.length === 0 ? { kind: 'already', what } : { kind: 'edits', what, at, edits: changed.edits };
}

/** Everything that checkpoints has to stop doing so. */
function switchedOff(on: readonly ApplyPlace[], chosen: ChosenStrategy): Application {
  const all = on.map((place) => applied(place, chosen));
  const failed = all.find(({ kind }) => kind === 'cannot');
  if (failed !== undefined) return failed;
  const [first, ...others] = all.flatMap((one) => (one.kind === 'edits' ? [one] : []));
  if (first === undefined) return { kind: 'already', what: undefined };
  const what = [first, ...others].map((one) => one.what).join(', ');
  return { kind: 'edits', what, at: first.at, edits: [first, ...others].flatMap(({ edits }) => edits) };
}
