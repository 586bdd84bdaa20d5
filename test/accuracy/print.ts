import { type Comparison, errorShare, type Section, signedPercent } from './comparison.ts';

/** A section for people: its bars, what is not covered and why, and with `rows` every single row. */
export function printSection({ title, bars, details = [], comparisons }: Section, rows: boolean): void {
  console.log(`\n${title}`);
  for (const { passed, name, reached } of bars) console.log(`  ${passed ? '✔' : '✘'} ${name}: ${reached}`);
  for (const line of details) console.log(`    ${line}`);
  if (rows) for (const comparison of comparisons) console.log(`      ${rowText(comparison)}`);
}

function rowText(row: Comparison): string {
  const { id, expected, unit, ours, explanation } = row;
  const of = `${id}: ${number(expected)} ${unit}`;
  if (!('value' in ours)) return `${of}, not covered: ${ours.notCovered}`;
  const error = signedPercent(errorShare(row, ours.value));
  return `${of}, ours ${number(ours.value)} (${error})${explanation ? `: ${explanation}` : ''}`;
}

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(6));
