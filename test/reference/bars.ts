import { type RuleCost, ruleCostBar, ruleCostLine, ruleCosts } from '../bench/ruleCost.ts';
import { trainingCode } from '../bench/trainingCode.ts';
import { compareSites } from './compareSites.ts';
import { scanSpeed } from './scanSpeed.ts';
import { tryFixes } from './tryFixes.ts';

export interface BarsRequest {
  /** One folder per repository. */
  readonly checkouts: string;
  /** One object a line; undefined where there is no reference to compare with. */
  readonly referenceSites: string | undefined;
  /** Print each difference, not only how many there are. */
  readonly all: boolean;
}

/** Of the reference's sites, those that `sites` must list too. */
const recallBar = 0.98;

/** Prints where the checker stands at each bar; gives the number of bars it misses. */
export function bars({ checkouts, referenceSites, all }: BarsRequest): number {
  let missed = 0;
  const verdict = (holds: boolean): string => {
    if (!holds) missed++;
    return holds ? 'pass' : 'FAIL';
  };

  if (referenceSites === undefined) {
    console.log('sites: NOT COMPARED, no reference was given (see above)');
    missed++;
  } else {
    const { reference, found, ours, confirmed, differences } = compareSites(checkouts, referenceSites);
    if (all) for (const line of differences) console.log(line);
    const recall = found / reference;
    console.log(
      `sites: ${found} of the reference's ${reference} are listed, ${percent(recall)} (bar ${percent(recallBar)}): ${verdict(recall >= recallBar)}`,
    );
    console.log(
      `sites: ${confirmed} of our ${ours} are in the reference too, ${percent(confirmed / ours)}; --all names the rest`,
    );
  }

  const { byCode, fixes, wrong } = tryFixes(checkouts);
  for (const line of wrong) console.log(line);
  const codes = [...byCode].sort(([a], [b]) => (a < b ? -1 : 1));
  const findings = codes.reduce((sum, [, count]) => sum + count, 0);
  console.log(`findings: ${findings}: ${codes.map(([code, count]) => `${code} ${count}`).join(', ')}`);
  console.log(`fixes: ${fixes} tried, ${wrong.length} wrong (bar 0): ${verdict(wrong.length === 0)}`);

  const costs: readonly RuleCost[] = ruleCosts(trainingCode(2_000));
  console.log(ruleCostLine(costs));
  verdict((costs[0]?.share ?? 0) <= ruleCostBar);

  const { files, seconds, filesPerSecond, searchSeconds, peakBytes } = scanSpeed(checkouts);
  const searches = Object.entries(searchSeconds).map(([name, time]) => `${name} ${time.toFixed(1)} s`);
  const memory = peakBytes === undefined ? '' : `, at most ${(peakBytes / 1e6).toFixed(0)} MB`;
  console.log(
    `scan: ${files} files in ${seconds.toFixed(1)} s, ${filesPerSecond.toFixed(0)} files/s${memory}; only looking for the word: ${searches.join(', ')}`,
  );
  console.log(missed === 0 ? 'every bar is met' : `${missed} not met`);
  return missed;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
