import { type ByteUnits, bytesText } from '../server/core/report/quantities.ts';

/** How the panel writes numbers, always with their unit; reports write the same ones, but in ASCII. */

/** Three significant digits: `956 MB`, `30.6 GB`; binary: `912 MiB`. Never breaks between number and unit. */
export const formatBytes = (bytes: number, units: ByteUnits): string =>
  bytesText(bytes, units).replace('-', minus).replace(' ', noBreak);

/** All digits, for tooltips: `956,301,312 bytes`. */
export const formatExactBytes = (bytes: number): string => `${formatCount(Math.round(bytes))} bytes`;

/** `50,257` */
export function formatCount(count: number): string {
  const [whole = '', fraction] = String(Math.round(count * 10_000) / 10_000).split('.');
  // Not by `Intl`: making its first formatter takes longer than all else that happens before the panel draws.
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

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

/** Keeps `k = 4` and `72 %` on one line. */
export const keepTogether = (sentence: string): string =>
  sentence.replaceAll(/ ([=≈]) /g, `${noBreak}$1${noBreak}`).replaceAll(/(\d) %/g, `$1${percentSign}`);

const minus = '−';

/** With a narrow space that does not break, so that a number never ends one line and its sign begins the next. */
const percentSign = '\u202f%';

/** A sentence that begins another one's second part. */
export const afterColon = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
