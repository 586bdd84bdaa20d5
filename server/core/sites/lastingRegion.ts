import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import type { CheckpointSite } from './checkpointSite.ts';
import { type LibraryModule, type Region, type RegionBody, regionOf } from './region.ts';

export interface LastingRegion {
  readonly region: Region;
  /** False where it holds for this version of the file alone; undefined where that shows when it is asked for again. */
  readonly lasts: boolean | undefined;
}

/**
 * The region of a site, kept from one version of its file to the next for as long as names stand for the same. Only a region
 * that is known to its end within its file is kept: any other one may hang on what other files say.
 */
export function lastingRegion(site: CheckpointSite, file: SourceFile, workspace: Workspace | undefined): LastingRegion {
  let found: Region | undefined;
  const kept = file.names.lasting(site.call, regionKind, () => {
    found = regionOf(site, file, workspace);
    // What the site was given may stand elsewhere, with the name it is called by.
    file.names.resolve(site.call.callee);
    return isWithin(found, file) && (found.complete || workspace === undefined) ? found : undefined;
  });
  if (kept === undefined) return { region: found ?? regionOf(site, file, workspace), lasts: false };
  if (found !== undefined) return { region: found, lasts: undefined };
  const here = <Part extends RegionBody | LibraryModule>(part: Part): Part => ({ ...part, file });
  const bodies = kept.bodies.map(here);
  const { entry } = kept;
  const begins = entry && (bodies[kept.bodies.indexOf(entry)] ?? here(entry));
  return { region: { ...kept, entry: begins, bodies, libraryModules: kept.libraryModules.map(here) }, lasts: true };
}

const regionKind = Symbol('region of a checkpointed call');

const isWithin = ({ bodies, libraryModules }: Region, file: SourceFile): boolean =>
  [...bodies, ...libraryModules].every((part) => part.file === file);
