import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import type { CheckpointSite } from './checkpointSite.ts';

/**
 * Those of a file's sites of which `isMeant` says so, by nothing but the code around them, their regions and what names stand
 * for: what it said holds from one version of the file to the next until one of these has changed. `kind` tells apart what is
 * asked. Most rules have nothing to say about most sites, and an edit changes few of them.
 */
export function sitesWhere(
  sites: readonly CheckpointSite[],
  names: Names,
  kind: symbol,
  isMeant: (site: CheckpointSite) => boolean,
): readonly CheckpointSite[] {
  return sites.filter((site) => answersFor(site).get(kind) ?? ask(site, names, kind, isMeant));
}

function ask(site: CheckpointSite, names: Names, kind: symbol, isMeant: (site: CheckpointSite) => boolean): boolean {
  let isNew = false;
  const answer = names.lasting(site.call, kind, () => {
    isNew = true;
    return isMeant(site);
  });
  // A site is the same object for as long as what was kept of it holds.
  if (!isNew) answersFor(site).set(kind, answer);
  return answer;
}

const answersFor = oncePer((_: CheckpointSite) => new Map<symbol, boolean>());
