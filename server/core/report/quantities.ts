/** How views and reports write numbers: always with the unit. */

/** 1 GB = 1000 MB, as the literature on checkpointing has it, or 1 GiB = 1024 MiB, as torch's own messages have it. */
export type ByteUnits = 'decimal' | 'binary';

const byteUnits: Readonly<Record<ByteUnits, readonly string[]>> = {
  decimal: ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'],
  binary: ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
};

/** Three significant digits in the largest unit that leaves at least 1: `956 MB`, `30.6 GB`; binary: `912 MiB`. */
export const bytesText = (bytes: number, units: ByteUnits = 'decimal'): string =>
  scaled(bytes, byteUnits[units], units === 'decimal' ? 1000 : 1024, (step) => step === 0);

const countUnits = ['', 'K', 'M', 'B', 'T'] as const;

/** A number of parameters as people say it: `124 M`, `7.24 B`. */
export const parametersText = (parameters: number): string => scaled(parameters, countUnits, 1000, () => false).trim();

/** `62.5 %`; negative where it costs. */
export const shareText = (share: number): string => `${tidy((share * 100).toFixed(1))} %`;

/** `7`, `17.96`. */
export const unitsText = (units: number): string => tidy(units.toFixed(2));

/** `13 to 26 ms`, `0.4 to 0.8 s`: two digits are what an estimate of time can promise. */
export function secondsText({ low, high }: { readonly low: number; readonly high: number }): string {
  const [factor, unit] = high < 1 ? [1000, 'ms'] : high < 120 ? [1, 's'] : [1 / 60, 'min'];
  const digits = (seconds: number): string => String(Number((seconds * factor).toPrecision(2)));
  return `${digits(low)} to ${digits(high)} ${unit}`;
}

function scaled(count: number, units: readonly string[], base: number, isWhole: (step: number) => boolean): string {
  let value = Math.abs(count);
  let step = 0;
  // Rounding first keeps 999.96 MB from being written as "1000 MB".
  while (step < units.length - 1 && Number(threeDigits(value)) >= base) {
    value /= base;
    step++;
  }
  const digits = isWhole(step) ? String(Math.round(value)) : threeDigits(value);
  return `${count < 0 ? '-' : ''}${digits} ${units[step]}`;
}

const threeDigits = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

/** Without zeros that say nothing, and without a minus before nothing. */
const tidy = (digits: string): string => String(Number(digits) + 0);
