import type { Names } from '../python/names.ts';
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
  return sites.filter((site) => {
    const known = answersFor(site);
    const before = known.get(kind);
    if (before !== undefined) return before;
    let isNew = false;
    const answer = names.lasting(site.call, kind, () => {
      isNew = true;
      return isMeant(site);
    });
    // A site is the same object for as long as what was kept of it holds.
    if (!isNew) known.set(kind, answer);
    return answer;
  });
}

function answersFor(site: CheckpointSite): Map<symbol, boolean> {
  const known = answers.get(site) ?? new Map<symbol, boolean>();
  answers.set(site, known);
  return known;
}

const answers = new WeakMap<CheckpointSite, Map<symbol, boolean>>();
