/** How reports write numbers: always with the unit, decimal (1 GB = 1000 MB) as the literature on checkpointing has it. */

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Three significant digits: `956 MB`, `30.6 GB`. */
export const bytesText = (bytes: number): string => scaled(bytes, byteUnits, (step) => step === 0);

const countUnits = ['', 'K', 'M', 'B', 'T'] as const;

/** A number of parameters as people say it: `124 M`, `7.24 B`. */
export const parametersText = (parameters: number): string => scaled(parameters, countUnits, () => false).trim();

/** `62.5 %`; negative where it costs. */
export const shareText = (share: number): string => `${tidy((share * 100).toFixed(1))} %`;

/** `7`, `17.96`. */
export const unitsText = (units: number): string => tidy(units.toFixed(2));

function scaled(count: number, units: readonly string[], isWhole: (step: number) => boolean): string {
  let value = count;
  let step = 0;
  // Rounding first keeps 999.96 MB from being written as "1000 MB".
  while (step < units.length - 1 && Number(threeDigits(value)) >= 1000) {
    value /= 1000;
    step++;
  }
  return `${isWhole(step) ? Math.round(value) : threeDigits(value)} ${units[step]}`;
}

const threeDigits = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

/** Without zeros that say nothing, and without a minus before nothing. */
const tidy = (digits: string): string => String(Number(digits) + 0);
