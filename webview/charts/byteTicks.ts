import type { ByteUnits } from '../../server/core/report/quantities.ts';

/** Three to five round byte counts from 0 up to at most `highest`, for an axis. */
export function byteTicks(highest: number, units: ByteUnits): readonly number[] {
  if (!(highest > 0)) return [0];
  const base = units === 'decimal' ? 1000 : 1024;
  const unit = base ** Math.floor(Math.log(highest) / Math.log(base));
  const inUnit = highest / unit;
  const power = 10 ** Math.floor(Math.log10(inUnit));
  const step = unit * power * (steps.find((each) => inUnit / power / each <= 4.5) ?? 5);
  return Array.from({ length: Math.floor(highest / step + 1e-9) + 1 }, (_, at) => at * step);
}

const steps = [0.25, 0.5, 1, 2, 2.5] as const;
