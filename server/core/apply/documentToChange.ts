import type { Origin, Place, RunFacts } from '../facts/facts.ts';

/** A document and what is known of its run. */
interface Shown {
  readonly uri: string;
  readonly facts: RunFacts | undefined;
}

/**
 * The document that a strategy goes into: where the code checkpoints already, which may be the model's file or a settings file
 * and not the one that is shown; where nothing does and no trainer could, the file that the layers are written in.
 */
export function documentToChange({ uri, facts }: Shown): string {
  const decides = facts?.run.checkpointing.origin;
  const layers = facts?.model?.family.origin;
  const path =
    placeOf(decides)?.path ??
    (decides?.kind === 'derived' && layers?.kind === 'derived' ? placeOf(layers)?.path : undefined);
  // A cell is changed as its notebook.
  return path === undefined || path.startsWith('vscode-notebook-cell:') ? uri : path;
}

const placeOf = (origin: Origin | undefined): Place | undefined =>
  origin !== undefined && 'place' in origin ? origin.place : undefined;
