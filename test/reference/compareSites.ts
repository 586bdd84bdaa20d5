import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SiteComparison {
  /** Sites of the reference, and how many of them we list too. */
  readonly reference: number;
  readonly found: number;
  /** Places we list in Python files, and how many of them the reference has too. */
  readonly ours: number;
  readonly confirmed: number;
  /** One line for each place that only one of the two lists. */
  readonly differences: readonly string[];
}

interface ReferenceSite {
  readonly repo: string;
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly kind: string;
  readonly callee?: string;
  readonly api?: string;
}

interface OurSite {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly what: string;
}

/**
 * Compares the places we list with a reference made by another extractor, in both directions. `checkouts` holds one folder
 * per repository, named as the reference names it; the reference has one object a line.
 */
export function compareSites(checkouts: string, referenceFile: string): SiteComparison {
  const reference = readFileSync(referenceFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ReferenceSite => JSON.parse(line))
    .filter(({ repo, file, kind }) => !notSites.has(kind) && existsSync(path.join(checkouts, repo, file)));
  const differences: string[] = [];
  let [found, ours, confirmed] = [0, 0, 0];
  for (const repo of [...new Set(reference.map((site) => site.repo))].sort()) {
    const expected = reference.filter((site) => site.repo === repo);
    const listed = sitesIn(path.join(checkouts, repo));
    const have = new Set(listed.map((site) => `${site.path}:${site.line}`));
    const wanted = new Set(expected.map((site) => `${site.file}:${site.line}`));
    for (const { file, line, kind, callee, api } of expected) {
      if (have.has(`${file}:${line}`)) found++;
      else differences.push(`only reference ${repo} ${file}:${line} ${kind} ${callee ?? api}`);
    }
    for (const site of listed) {
      const place = `${site.path}:${site.line}`;
      if (wanted.has(place)) confirmed++;
      else differences.push(`only ours      ${repo} ${place} ${site.kind} ${site.what}`);
    }
    ours += listed.length;
  }
  return { reference: reference.length, found, ours, confirmed, differences };
}

/** What only looks like checkpointing, and what the reference itself could not resolve, is not a site. */
const notSites: ReadonlySet<string> = new Set(['lookalike', 'unresolved']);

function sitesIn(cwd: string): readonly OurSite[] {
  const { stdout } = spawnSync(process.execPath, [path.resolve('dist/cli.js'), 'sites', '--format', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { sites }: { sites: readonly OurSite[] } = JSON.parse(stdout);
  // The reference read no notebooks.
  return sites.filter((site) => site.path.endsWith('.py'));
}
