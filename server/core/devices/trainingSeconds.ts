import type { DataType } from '../facts/facts.ts';
import type { Device } from './device.ts';

export interface SecondsRange {
  readonly low: number;
  readonly high: number;
  readonly source: string;
}

/**
 * Shares of the peak rate that training of transformers reaches: 41 to 56 % for 22 billion to a trillion parameters on A100
 * (Korthikanti et al. 2022, table 5), 38 to 43 % on 16,000 H100 (Llama 3, 2024). Small models and short sequences stay below.
 */
const utilisation = { least: 0.3, most: 0.6 } as const;

/**
 * Seconds that `flops` floating-point operations take on a device, as a range from high to low utilisation. Undefined where
 * the rate of the data type is not known or the count is none.
 */
export function trainingSeconds(flops: number, device: Device, dataType: DataType | 'tf32'): SecondsRange | undefined {
  const peak = device.peakFlops[dataType];
  if (peak === undefined || !Number.isFinite(flops) || flops < 0) return undefined;
  return {
    low: flops / (peak * utilisation.most),
    high: flops / (peak * utilisation.least),
    source: `${Math.round(100 * utilisation.least)} to ${Math.round(100 * utilisation.most)} % of ${device.name}’s dense ${dataType} rate (${device.ratesSource}); utilisation as in Korthikanti et al. 2022 and Llama 3`,
  };
}
