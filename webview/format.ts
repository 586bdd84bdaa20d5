/** How the panel writes numbers, always with their unit; counts it shares with the reports are in `core/report`. */

export type ByteUnits = 'decimal' | 'binary';

const decimalSteps = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const binarySteps = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Three significant digits in the largest unit that leaves at least 1: `956 MB`, `30.6 GB`; binary: `912 MiB`. */
export function formatBytes(bytes: number, units: ByteUnits): string {
  const [base, names] = units === 'decimal' ? [1000, decimalSteps] : [1024, binarySteps];
  let value = Math.abs(bytes);
  let step = 0;
  // Rounding first keeps 999.96 MB from being written as "1000 MB".
  while (step < names.length - 1 && Number(roundTo3(value)) >= base) {
    value /= base;
    step++;
  }
  const digits = step === 0 ? String(Math.round(value)) : roundTo3(value);
  return `${bytes < 0 ? minus : ''}${digits}${noBreak}${names[step]}`;
}

/** All digits, for tooltips: `956,301,312 bytes`. */
export const formatExactBytes = (bytes: number): string => `${formatCount(Math.round(bytes))} bytes`;

/** `50,257` */
export const formatCount = (count: number): string => count.toLocaleString('en-US', { maximumFractionDigits: 4 });

/** A share as percent with one decimal, which all of it and none of it do without: `62.5 %`, `100 %`, `−8.3 %`. */
export function formatShare(share: number): string {
  const percent = (Math.abs(share) * 100).toFixed(1);
  if (percent === '0.0') return `0${percentSign}`;
  return `${share < 0 ? minus : ''}${percent === '100.0' ? '100' : percent}${percentSign}`;
}

/** A share that is added to something: `+33.3 %`, `0 %`. */
export const formatExtra = (share: number): string => (share > 0 ? `+${formatShare(share)}` : formatShare(share));

/** A unit never begins a line. */
const noBreak = '\u00a0';

/** Keeps `k = 4` on one line. */
export const keepTogether = (sentence: string): string => sentence.replaceAll(/ ([=≈]) /g, `${noBreak}$1${noBreak}`);

const minus = '−';

/** With a narrow space that does not break, so that a number never ends one line and its sign begins the next. */
const percentSign = '\u202f%';

function roundTo3(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
