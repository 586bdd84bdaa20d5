import { readFileSync, writeFileSync } from 'node:fs';
import { type PeakRow, peakRows, simulationOf } from '../sections/checkpointPeaks.ts';
import { accountOfSavedRow, outsideOf, type SavedRow, savedRows } from '../sections/savedBytes.ts';

/** What the Python script found for one row; the names are those of the goldens. */
interface Measured {
  readonly id: string;
  readonly layersBytes?: readonly number[];
  readonly layerBytes?: number;
  readonly outsideBytes?: number;
  readonly totalBytes?: number;
  readonly afterForwardBytes?: number;
  readonly peakBytes?: number;
}

const [, , task, file = '', every = '6'] = process.argv;
if (task === 'choose') writeFileSync(file, JSON.stringify(chosen(Number(every))));
else process.exit(compare(JSON.parse(readFileSync(file, 'utf8')) as readonly Measured[]) ? 0 : 1);

/** Every n-th of the rows this can measure again. */
function chosen(n: number): readonly (SavedRow | PeakRow)[] {
  const saved = savedRows.filter(
    ({ library, semantics, attention, model }) =>
      semantics === 'cuda' &&
      attention !== 'math' &&
      (library === 'transformers' || (library === 'torch' && model.startsWith('reference-block'))),
  );
  const peaks = peakRows.filter(
    ({ model, plan, earlyStop }) => model === 'textbook' && plan !== 'policy' && earlyStop !== false,
  );
  return [...saved, ...peaks].filter((_, at) => at % n === 0);
}

function compare(measured: readonly Measured[]): boolean {
  const differences = measured.flatMap((row) => differencesOf(row));
  for (const difference of differences) console.log(`✘ ${difference}`);
  console.log(`${measured.length} rows measured again, ${differences.length} numbers differ`);
  return measured.length > 0 && differences.length === 0;
}

/** The golden must be the same number; ours as well, but for peaks, which have 2 %. */
function differencesOf(row: Measured): readonly string[] {
  const peak = peakRows.find(({ id }) => id === row.id);
  const saved = savedRows.find(({ id }) => id === row.id);
  const golden: Measured = peak ?? saved ?? { id: row.id };
  const ours = peak ? oursOfPeak(peak) : saved ? oursOfSaved(saved) : undefined;
  return (Object.keys(row) as (keyof Measured)[]).flatMap((name) => {
    if (name === 'id' || golden[name] === undefined) return [];
    const [again, before] = [JSON.stringify(row[name]), JSON.stringify(golden[name])];
    const mine = ours?.[name];
    return [
      ...(again === before ? [] : [`${row.id}, ${name}: measured ${again}, the golden says ${before}`]),
      ...(mine === undefined || isNear(mine, row[name], name === 'peakBytes' ? 0.02 : 0)
        ? []
        : [`${row.id}, ${name}: measured ${again}, ours ${JSON.stringify(mine)}`]),
    ];
  });
}

function isNear(ours: unknown, measured: unknown, share: number): boolean {
  if (typeof ours !== 'number' || typeof measured !== 'number')
    return JSON.stringify(ours) === JSON.stringify(measured);
  return Math.abs(ours - measured) <= share * measured;
}

function oursOfPeak(row: PeakRow): Measured | undefined {
  const result = simulationOf(row);
  return typeof result === 'string' ? undefined : { id: row.id, ...result };
}

function oursOfSaved(row: SavedRow): Measured | undefined {
  const account = accountOfSavedRow(row);
  if (typeof account === 'string') return undefined;
  if (row.library === 'torch') return { id: row.id, layerBytes: account.layerBytes };
  const layers = row.layersBytes?.length ?? 0;
  return {
    id: row.id,
    layersBytes: account.layersBytes.slice(0, layers),
    outsideBytes: outsideOf(account, layers),
    totalBytes: account.savedBytes,
  };
}
