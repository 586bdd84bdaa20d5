/** Factors of the units rows are published in; `1`, `%` and times are compared as they are. */
const factors: Readonly<Record<string, number>> = {
  B: 1,
  MB: 1e6,
  GB: 1e9,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** A number of bytes in a row's own unit. */
export const inUnit = (bytes: number, unit: string): number => bytes / (factors[unit] ?? 1);
