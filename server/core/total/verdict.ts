import type { Device } from '../devices/device.ts';
import type { TotalMemory } from './totalMemory.ts';

/** Whether a step fits a device. All in bytes; what is over is negative. */
export interface Verdict {
  readonly device: Device;
  /** `tight` where it depends on the allowance: it may fit. */
  readonly outcome: 'fits' | 'tight' | 'over';
  /** What is left with the expected allowance. */
  readonly spareBytes: number;
  readonly leastSpareBytes: number;
  readonly mostSpareBytes: number;
}

export function verdictOn({ range }: TotalMemory, device: Device | undefined): Verdict | undefined {
  if (device === undefined) return undefined;
  const spare = (bytes: number): number => device.memoryBytes - bytes;
  return {
    device,
    outcome: spare(range.high) >= 0 ? 'fits' : spare(range.low) < 0 ? 'over' : 'tight',
    spareBytes: spare(range.expected),
    leastSpareBytes: spare(range.high),
    mostSpareBytes: spare(range.low),
  };
}
